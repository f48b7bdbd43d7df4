import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { command, type Outcome } from "./step.mjs"

/**
 * The generators with their output, by the processes that run them, in order of their dependencies. A process imports
 * the modules once, so it must not run a generator that reads the output of another one.
 */
const processes = [
  [{ script: "packages/api/src/generate.ts", output: "packages/api/openapi.json" }],
  [{ script: "packages/client/generate/operations.ts", output: "packages/client/src/operations.ts" }],
  [
    { script: "packages/store/generate/schema.ts", output: "packages/store/schema" },
    { script: "packages/server/generate/permissions.ts", output: "docs/permissions.md" },
    {
      script: "packages/server/generate/console/permissions.ts",
      output: "packages/console/src/app/PermissionTable.ts"
    },
    { script: "packages/server/generate/configuration.ts", output: "docs/reference/configuration.md" },
    { script: "packages/server/generate/reasons.ts", output: "docs/reference/reasons.md" },
    { script: "packages/server/generate/logs.ts", output: "docs/reference/logs.md" },
    { script: "packages/server/generate/events.ts", output: "docs/reference/events.md" },
    { script: "packages/server/generate/errors.ts", output: "docs/reference/errors.md" },
    { script: "packages/server/generate/limits.ts", output: "docs/reference/limits.md" },
    { script: "packages/server/generate/rules.ts", output: "docs/reference/rules.md" },
    { script: "packages/server/generate/console/rules.ts", output: "packages/console/src/text/RuleVocabulary.ts" },
    { script: "packages/server/generate/console/leadStates.ts", output: "packages/console/src/text/LeadStates.ts" },
    { script: "packages/server/generate/console/reasons.ts", output: "packages/console/src/text/Reasons.ts" }
  ],
  [{ script: "packages/cli/generate/operations.ts", output: "packages/cli/src/operation/generated" }],
  [
    { script: "packages/cli/generate/reference.ts", output: "docs/reference/cli.md" },
    { script: "packages/cli/generate/manual.ts", output: "packages/cli/man/leadloom.1" }
  ],
  [{ script: ".scripts/publicNames.ts", output: "docs/reference/packages.md" }]
] as const

const generators = processes.flat()

const filesOfMessage = async (root: string, path: string): Promise<ReadonlyArray<string>> => {
  const found = await stat(join(root, path)).catch(() => null)
  if (found === null) return []
  if (!found.isDirectory()) return [path]
  return (await readdir(join(root, path))).toSorted().map((name) => join(path, name))
}

/** Reads all generated files, by path. */
const snapshot = async (root: string): Promise<Map<string, string>> => {
  const files = (await Promise.all(generators.map(({ output }) => filesOfMessage(root, output)))).flat()
  const contents = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")))
  return new Map(files.map((file, index) => [file, contents[index] ?? ""]))
}

const restore = async (root: string, before: Map<string, string>, now: Iterable<string>): Promise<void> => {
  for (const file of now) if (!before.has(file)) await rm(join(root, file))
  for (const [file, content] of before) await writeFile(join(root, file), content)
}

/** Writes all generated files. */
export const generate = async (root: string): Promise<Outcome> => {
  for (const group of processes) {
    const scripts = group.map(({ script }) => `./${script}`)
    const imports = scripts.slice(0, -1).flatMap((script) => ["--import", script])
    const args = ["--conditions=leadloom:source", ...imports, ...scripts.slice(-1)]
    const { code, output } = await command(process.execPath, args, { cwd: root })
    if (code !== 0) return { ok: false, output: `${scripts.join(", ")} failed:\n${output}` }
  }
  return { ok: true }
}

/** Compares the generated files with fresh output. Leaves the files unchanged. */
export const checkGenerated = async (root: string): Promise<Outcome> => {
  const before = await snapshot(root)
  const result = await generate(root)
  const after = await snapshot(root)
  await restore(root, before, after.keys())
  if (!result.ok) return result
  const files = [...new Set([...before.keys(), ...after.keys()])].toSorted()
  const stale = files.filter((file) => before.get(file) !== after.get(file))
  if (stale.length === 0) return { ok: true, note: `${files.length} files` }
  return { ok: false, output: `${stale.join("\n")}\nThese generated files are out of date. Run npm run generate.` }
}
