import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** The variable with the folder of the programs that the run has bundled. */
export const programsVariable = "LEADLOOM_TEST_PROGRAMS"

/**
 * A program that tests start in a separate process. `HangingServer` is the server with faults, `SimulatedServer` the one
 * whose clock a chaos command sets.
 */
export type Program = "server" | "cli" | "HangingServer" | "SimulatedServer"

/**
 * Returns the Node.js arguments for a program. They start its bundle, which takes a third of the time, or its sources
 * if there is no bundle.
 */
export const programArguments = (name: Program, source: string): ReadonlyArray<string> => {
  const folder = process.env[programsVariable]
  return folder === undefined ? ["--conditions=leadloom:source", source] : [join(folder, `${name}.mjs`)]
}

const bundled = (name: string): URL | undefined => {
  const folder = process.env[programsVariable]
  return folder === undefined ? undefined : pathToFileURL(join(folder, `${name}.mjs`))
}

/**
 * Returns the bundled parse program; undefined without a bundle. The bundle starts with a fifth of the work of the
 * sources.
 */
export const parseProgram = (): URL | undefined => bundled("ParseProgram")

/** Returns the bundled parse program with faults, or the given source without a bundle. */
export const hostileProgram = (source: URL): URL => bundled("HostileProgram") ?? source

/** Returns the bundled program that verifies mail; undefined without a bundle. */
export const verifyProgram = (): URL | undefined => bundled("VerifyProgram")
