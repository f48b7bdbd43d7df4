import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { command, type Outcome } from "./step.mjs"

const tool = async (root: string, name: string, args: ReadonlyArray<string>): Promise<Outcome> => {
  const { code, output } = await command(join(root, "node_modules", ".bin", name), args, { cwd: root })
  return { ok: code === 0, output }
}

export const formatting = async (root: string): Promise<Outcome> => {
  const { ok, output = "" } = await tool(root, "oxfmt", ["--list-different", "."])
  return { ok, output: `${output.trimEnd()}\nRun npm run fix.` }
}

export const lint = (root: string): Promise<Outcome> => tool(root, "oxlint", ["--deny-warnings"])

/**
 * Checks the types of the libraries with their build configuration, then tests, examples and scripts against the
 * declarations that this build has written. `tsconfig.test.json` checks them against the sources: it needs no build and
 * four times the CPU time.
 */
export const types = async (root: string): Promise<Outcome> => {
  const built = await tool(root, "tsc", ["-b", "packages"])
  const tested = await tool(root, "tsc", ["-p", ".scripts/tsconfig.built.json"])
  return { ok: built.ok && tested.ok, output: `${built.output ?? ""}${tested.output ?? ""}` }
}

/** Reports errors that the type checker misses: unused effects, `yield` without `*`, and lost errors. */
export const effectDiagnostics = async (root: string): Promise<Outcome> => {
  const project = join(root, ".scripts", "tsconfig.effect.json")
  const args = ["diagnostics", "--project", project, "--format", "text", "--severity", "error,warning", "--strict"]
  const { ok, output = "" } = await tool(root, "effect-tsgo", args)
  // Without the plugin entry in tsconfig.base.json, the tool checks no files and succeeds.
  const checked = /Checked (?<count>\d+) files/u.exec(output)?.groups?.["count"] ?? "0"
  return { ok: ok && checked !== "0", note: `${checked} files`, output }
}

/** Rejects registry addresses in the lockfile, because they would tie every installation to one registry. */
export const lockfile = async (root: string): Promise<Outcome> => {
  const text = await readFile(join(root, "pnpm-lock.yaml"), "utf8")
  const found = text.split("\n").flatMap((line, index) => (/https?:\/\//u.test(line) ? [`${index + 1}: ${line}`] : []))
  return {
    ok: found.length === 0,
    output: `pnpm-lock.yaml contains addresses of hosts. Remove them:\n${found.join("\n")}`
  }
}
