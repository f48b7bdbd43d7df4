import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** The folder of the programs that the run has bundled. */
export const programsVariable = "LEADLOOM_TEST_PROGRAMS"

/** A program that tests start in processes of their own. */
export type Program = "server" | "cli"

/**
 * What Node.js is given to run a program: the bundle that the run has made of its sources, which starts in a third of the
 * time, or else the sources themselves.
 */
export const programArguments = (name: Program, source: string): ReadonlyArray<string> => {
  const folder = process.env[programsVariable]
  return folder === undefined
    ? ["--conditions=development", "--conditions=leadloom:source", source]
    : [join(folder, `${name}.mjs`)]
}

/** The bundled parse program, which starts with a fifth of the work of its sources; without a bundle, the sources. */
export const parseProgram = (): URL | undefined => {
  const folder = process.env[programsVariable]
  return folder === undefined ? undefined : pathToFileURL(join(folder, "ParseProgram.mjs"))
}
