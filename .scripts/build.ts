import { existsSync } from "node:fs"
import { join } from "node:path"
import { contentKey, isStamped, stamp } from "./stamp.mjs"
import { command, type Outcome } from "./step.mjs"

/** The inputs of the bundle. The bundle is rebuilt when one of them changes. */
const sources = [
  ...["core", "api", "store", "connectors", "mcp", "server", "client", "cli"].map((name) => `packages/${name}/src`),
  "packages/cli/tsup.config.ts",
  "packages/api/openapi.json",
  "packages/server/page",
  "pnpm-lock.yaml"
]

/** Compiles all libraries to JavaScript, declarations and source maps. `tsc -b` skips unchanged projects. */
export const libraries = async (root: string): Promise<Outcome> => {
  const { code, output } = await command(join(root, "node_modules", ".bin", "tsc"), ["-b", "packages"], { cwd: root })
  return { ok: code === 0, output }
}

/** The inputs of the console. */
const consoleSources = [
  "packages/console/src",
  "packages/console/index.html",
  "packages/console/vite.config.ts",
  "packages/client/src",
  "pnpm-lock.yaml"
]

/** The folder from which the server reads the files of the console. */
export const consoleFolder = join("packages", "server", "page", "console")

/** Builds the files of the web console. Skips the work when no source has changed. */
export const buildConsole = async (root: string): Promise<Outcome> => {
  const stampFile = join(root, "packages", "console", ".cache", "built")
  const key = contentKey(root, consoleSources)
  if (existsSync(join(root, consoleFolder, "index.html")) && isStamped(stampFile, key)) {
    return { ok: true, note: "up to date" }
  }
  const args = ["build", "--logLevel", "warn", "--config", "vite.config.ts"]
  const { code, output } = await command(join(root, "node_modules", ".bin", "vite"), args, {
    cwd: join(root, "packages", "console"),
    // The tests run with another value, with which the bundle would contain the development build of React.
    env: { ...process.env, NODE_ENV: "production" }
  })
  if (code === 0) stamp(stampFile, key)
  return { ok: code === 0, output }
}

/** Bundles the CLI and the server, which the CLI loads on demand. Skips the work when no source has changed. */
export const bundle = async (root: string): Promise<Outcome> => {
  const cli = join(root, "packages", "cli")
  const stampFile = join(cli, "dist", ".bundle")
  const key = contentKey(root, sources)
  if (existsSync(join(cli, "dist", "main.mjs")) && isStamped(stampFile, key)) return { ok: true, note: "up to date" }
  const { code, output } = await command(join(root, "node_modules", ".bin", "tsup"), [], { cwd: cli })
  if (code === 0) stamp(stampFile, key)
  return { ok: code === 0, output }
}
