import { existsSync } from "node:fs"
import { join } from "node:path"
import { contentKey, isStamped, stamp } from "./stamp.mjs"
import { command, type Outcome } from "./step.mjs"

/** Everything that ends up in the bundle. */
const sources = [
  ...["core", "api", "store", "connectors", "server", "client", "cli"].map((name) => `packages/${name}/src`),
  "packages/cli/tsup.config.ts",
  "pnpm-lock.yaml"
]

/** JavaScript, declarations and maps of every library. `tsc -b` itself knows what changed. */
export const libraries = async (root: string): Promise<Outcome> => {
  const { code, output } = await command(join(root, "node_modules", ".bin", "tsc"), ["-b", "packages"], { cwd: root })
  return { ok: code === 0, output }
}

/** The command line and, as a chunk that it loads on demand, the server. Only when a source changed. */
export const bundle = async (root: string): Promise<Outcome> => {
  const cli = join(root, "packages", "cli")
  const stampFile = join(cli, "dist", ".bundle")
  const key = contentKey(root, sources)
  if (existsSync(join(cli, "dist", "main.mjs")) && isStamped(stampFile, key)) return { ok: true, note: "up to date" }
  const { code, output } = await command(join(root, "node_modules", ".bin", "tsup"), [], { cwd: cli })
  if (code === 0) stamp(stampFile, key)
  return { ok: code === 0, output }
}
