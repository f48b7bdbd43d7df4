import { rmSync } from "node:fs"
import { copyFile, mkdir, mkdtemp, symlink } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { basename, join } from "node:path"
import { type Program, programsVariable } from "@leadloom/testkit/Program"
import { build } from "esbuild"

const packages = fileURLToPath(new URL("../packages", import.meta.url))

/** The folder of the bundles. Node.js finds the native module from here, because the bundles do not include it. */
const home = join(packages, "cli", "node_modules", ".cache")

/** The programs that parse and verify mail, which the server starts from its own folder, and one with faults. */
const sandboxedPrograms = {
  HostileProgram: join(packages, "connectors", "test", "parse", "HostileProgram.ts"),
  ParseProgram: join(packages, "connectors", "src", "parse", "ParseProgram.ts"),
  VerifyProgram: join(packages, "connectors", "src", "mailauth", "VerifyProgram.ts")
}

/** The files that the server sends. It reads them from its own folder. */
const served = [join(packages, "api", "openapi.json"), join(packages, "server", "page", "reference.html")]

/** The built files of the web console, as a link, because tests build them when their sources have changed. */
const consoleFiles = join(packages, "server", "page", "console")

/** The program that examines the deployment of a server, which the server starts from its own folder. */
const doctorProgram = { DoctorProgram: join(packages, "server", "src", "doctor", "DoctorProgram.ts") }

const programOf = (name: "server" | "cli") => ({ [name]: join(packages, name, "src", "main.ts") })

/**
 * The server with faults, and the one with a simulated clock. The last entry keeps the server in a chunk of its own,
 * which does not start serving because it is not the main module.
 */
const testServers: Readonly<Partial<Record<Program | "served", string>>> = {
  HangingServer: join(packages, "server", "test", "world", "HangingServer.ts"),
  SimulatedServer: join(packages, "server", "chaos", "sequence", "SimulatedServer.ts"),
  served: join(packages, "server", "src", "main.ts")
}

const requireBanner =
  'import { createRequire as createRequireOfBundle } from "node:module"\nconst require = createRequireOfBundle(import.meta.url)'

/**
 * Keeps the compiled code of a program beside its bundle. A server then starts with a seventh less CPU time: 900 instead
 * of 1,045 ms. The sandboxed programs must not write files.
 */
const keepCompiled =
  'import { enableCompileCache as enableCompileCacheOfBundle } from "node:module"\nenableCompileCacheOfBundle(import.meta.dirname + "/compiled")'

const bundle = (folder: string, entryPoints: Readonly<Record<string, string>>) =>
  build({
    entryPoints,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    conditions: ["leadloom:source", "node", "module"],
    external: ["better-sqlite3"],
    banner: { js: entryPoints === sandboxedPrograms ? requireBanner : `${requireBanner}\n${keepCompiled}` },
    logLevel: "error"
  })

/**
 * Bundles the programs that tests start as processes. The bundles contain the current sources and have the same options
 * as `packages/cli/tsup.config.ts`. A run starts about a hundred processes. Returns a function that removes the
 * bundles.
 */
export const bundlePrograms = async (): Promise<() => void> => {
  await mkdir(home, { recursive: true })
  const folder = await mkdtemp(join(home, "leadloom-programs-"))
  // Separate builds: with shared chunks, the server would not be the main module and would not start serving.
  const entries = [programOf("server"), programOf("cli"), testServers, sandboxedPrograms, doctorProgram]
  await Promise.all(entries.map((entry) => bundle(folder, entry)))
  await symlink(consoleFiles, join(folder, "console"), "dir")
  await Promise.all(served.map((file) => copyFile(file, join(folder, basename(file)))))
  process.env[programsVariable] = folder
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  // Removes the bundles when the run is interrupted.
  process.once("exit", remove)
  return () => {
    process.off("exit", remove)
    remove()
  }
}
