/**
 * The tasks of `npm run`, after `bootstrap.mjs` has installed the workspace. Code of the product does not belong in
 * `.scripts`. Tests: `.scripts/test`.
 */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { buildConsole, bundle, libraries } from "./build.ts"
import { effectDiagnostics, formatting, lint, lockfile, types } from "./checks.ts"
import { checkGenerated, generate } from "./generated.ts"
import { pack } from "./pack.ts"
import { plan } from "./plan.mjs"
import { command, type Outcome, step, StepFailed } from "./step.mjs"
import { runTests, type TestCount } from "./tests.ts"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = (name: string): string => join(root, "node_modules", ".bin", name)
const [task = "", ...rest] = process.argv.slice(2)
let tests: TestCount | null = null

const runTool = async (name: string, args: ReadonlyArray<string>): Promise<Outcome> => {
  const { code, output } = await command(bin(name), args, { cwd: root })
  return { ok: code === 0, output }
}

interface Step {
  readonly live?: boolean
  readonly run: () => Promise<Outcome>
}

const steps: Readonly<Record<string, Step>> = {
  "Build libraries": { run: () => libraries(root) },
  "Build the console": { run: () => buildConsole(root) },
  "Bundle the command line": { run: () => bundle(root) },
  Formatting: { run: () => formatting(root) },
  Lint: { run: () => lint(root) },
  Types: { run: () => types(root) },
  "Effect diagnostics": { run: () => effectDiagnostics(root) },
  Lockfile: { run: () => lockfile(root) },
  "Generated files": { run: () => checkGenerated(root) },
  Pack: { run: () => pack(root) },
  Generate: { run: () => generate(root) },
  Format: { run: () => runTool("oxfmt", ["."]) },
  "Fix lint": { run: () => runTool("oxlint", ["--fix"]) },
  Tests: {
    live: true,
    run: async () => {
      tests = await runTests(root, rest)
      return { ok: tests.failed === 0 }
    }
  }
}

/** The tasks whose steps need the results of all earlier steps. */
const stopsAtFailure = ["start", "setup", "pack", "bench", "chaos"]

/**
 * Runs the steps of a task. A failed build ends the task. Checks and tests all run, so that one run reports all
 * failures.
 */
const runSteps = async (): Promise<ReadonlyArray<string>> => {
  const labels = plan[task] ?? []
  const failed: Array<string> = []
  for (const [index, label] of labels.entries()) {
    const chosen = steps[label]
    if (chosen === undefined) continue
    const about = { number: index + 1, total: labels.length, label, live: chosen.live ?? false }
    if (await step(about, chosen.run)) continue
    failed.push(label)
    if (stopsAtFailure.includes(task)) break
  }
  return failed
}

const serve = async (): Promise<void> => {
  const script = join(root, "packages", "cli", "bin", "leadloom.mjs")
  process.argv = [process.execPath, script, "serve", "--demo", ...rest]
  await import(script)
}

/** Runs benchmarks or chaos commands in a process that resolves packages to their sources. */
const runFolder = async (folder: "bench" | "chaos"): Promise<void> => {
  const flags = ["--conditions=leadloom:source", "--expose-gc"]
  const args = [...flags, join(root, ".scripts", "bench.ts"), folder, ...rest]
  const { code } = await command(process.execPath, args, { cwd: root, live: true })
  process.exitCode = code
}

const main = async (): Promise<void> => {
  const failed = await runSteps()
  if (failed.length > 0) {
    console.error(`Failed: ${failed.join(", ")}.`)
    process.exitCode = 1
  } else if (task === "start") await serve()
  else if (task === "bench" || task === "chaos") await runFolder(task)
  if (tests !== null) console.log(`${tests.passed} passed, ${tests.failed} failed`)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof StepFailed)) throw error
  console.error(error.message)
  process.exitCode = error.exitCode
}
