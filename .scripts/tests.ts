import { mkdir, readFile, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { command } from "./step.mjs"

/** The number of passed and failed tests. */
export interface TestCount {
  readonly passed: number
  readonly failed: number
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: ReadonlyArray<{
    readonly status: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string }>
  }>
}

/** Counts the tests of a vitest report. A file that failed to load counts as one failed test. */
export const countTests = (report: Report): TestCount => {
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed")
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

/** Runs the tests that match `filters`, or all tests. Counts one failure when vitest fails without a failed test. */
export const runTests = async (root: string, filters: ReadonlyArray<string>): Promise<TestCount> => {
  const file = join(root, "node_modules", ".cache", "leadloom-tests.json")
  await mkdir(dirname(file), { recursive: true })
  await rm(file, { force: true })
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`]
  const args = ["run", "-c", ".scripts/vitest.config.ts", ...reporters, ...filters]
  const { code } = await command(join(root, "node_modules", ".bin", "vitest"), args, { cwd: root, live: true })
  const text = await readFile(file, "utf8").catch(() => null)
  const count = text === null ? { passed: 0, failed: 0 } : countTests(JSON.parse(text) as Report)
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}
