import { rmSync } from "node:fs"
import { mkdir, mkdtemp } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { join } from "node:path"
import { type Program, programsVariable } from "@leadloom/testkit/Program"
import { build } from "esbuild"

const packages = fileURLToPath(new URL("../packages", import.meta.url))

/** Where the one native module, which stays outside, is found from. */
const home = join(packages, "cli", "node_modules", ".cache")

/** The program that parses mail. The server starts it from its own folder. */
const parseProgram = { ParseProgram: join(packages, "connectors", "src", "parse", "ParseProgram.ts") }

const programOf = (name: Program) => ({ [name]: join(packages, name, "src", "main.ts") })

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
    conditions: ["development", "leadloom:source", "node", "import", "module"],
    external: ["better-sqlite3"],
    banner: {
      js: 'import { createRequire as createRequireOfBundle } from "node:module"\nconst require = createRequireOfBundle(import.meta.url)'
    },
    logLevel: "error"
  })

/**
 * For the setup of a run: bundles the programs that tests start in processes of their own, from the sources as they are now
 * and as `packages/cli/tsup.config.ts` does it. A run starts a hundred of them. Answers how the bundles go.
 */
export const bundlePrograms = async (): Promise<() => void> => {
  await mkdir(home, { recursive: true })
  const folder = await mkdtemp(join(home, "leadloom-programs-"))
  // Apart: a server that shared its code with the command line would not be the main module, and would not serve.
  await Promise.all([programOf("server"), programOf("cli"), parseProgram].map((entry) => bundle(folder, entry)))
  process.env[programsVariable] = folder
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  // A run that is cut off takes them along.
  process.once("exit", remove)
  return () => {
    process.off("exit", remove)
    remove()
  }
}
