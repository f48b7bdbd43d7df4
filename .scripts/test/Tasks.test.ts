import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { plan } from "../plan.mjs"
import { command, step } from "../step.mjs"
import { countTests } from "../tests.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

describe("plan", () => {
  it("has every task of package.json, and package.json calls every task", async () => {
    const { scripts } = JSON.parse(await readFile(`${root}/package.json`, "utf8"))
    expect(Object.keys(plan).toSorted()).toEqual(Object.keys(scripts).toSorted())
    for (const [task, line] of Object.entries(scripts)) expect(line).toBe(`exec node .scripts/run.mjs ${task}`)
  })

  it("includes all checks of npm run check in npm test", () => {
    expect(plan["test"]).toEqual(expect.arrayContaining([...(plan["check"] ?? [])]))
  })

  it("prints the tasks for an unknown task", async () => {
    const failure = await promisify(execFile)(process.execPath, [`${root}/.scripts/run.mjs`, "frobnicate"]).catch(
      (error: unknown) => error
    )
    expect(failure).toMatchObject({ code: 2, stderr: expect.stringContaining("Unknown task frobnicate") })
  })
})

describe("countTests", () => {
  const file = (status: string, ...tests: ReadonlyArray<string>) => ({
    status,
    assertionResults: tests.map((one) => ({ status: one }))
  })

  it("returns the numbers of the report", () => {
    const testResults = [file("passed", "passed", "passed"), file("failed", "passed", "failed")]
    expect(countTests({ numPassedTests: 3, numFailedTests: 1, testResults })).toEqual({ passed: 3, failed: 1 })
  })

  it("counts a file that failed to load as a failure", () => {
    const testResults = [file("passed", "passed"), file("failed")]
    expect(countTests({ numPassedTests: 1, numFailedTests: 0, testResults })).toEqual({ passed: 1, failed: 1 })
  })
})

describe("command", () => {
  it("collects the output of a program with its exit code", async () => {
    const script = 'process.stdout.write("out"); process.stderr.write("err"); process.exitCode = 3'
    const { code, output } = await command(process.execPath, ["-e", script], { cwd: root })
    expect(code).toBe(3)
    expect(output).toContain("out")
    expect(output).toContain("err")
  })

  it("returns 127 for an unknown program", async () => {
    expect((await command("no-such-program", [], { cwd: root })).code).toBe(127)
  })
})

describe("step", () => {
  const reported = async (outcome: { ok: boolean; note?: string; output?: string }): Promise<string> => {
    const written: Array<string> = []
    const screen = { write: (text: string) => written.push(text) }
    const ok = await step({ number: 2, total: 6, label: "Types" }, () => Promise.resolve(outcome), screen)
    expect(ok).toBe(outcome.ok)
    return written.join("")
  }

  it("prints one line with the label and the duration", async () => {
    expect(await reported({ ok: true })).toMatch(/^\[2\/6\] Types … \d+\.\d s\n$/u)
    expect(await reported({ ok: true, note: "up to date", output: "noise" })).toMatch(
      /^\[2\/6\] Types … \d+\.\d s \(up to date\)\n$/u
    )
  })

  it("prints the output of a failure", async () => {
    expect(await reported({ ok: false, output: "a.ts: wrong\n" })).toMatch(
      /^\[2\/6\] Types … failed after \d+\.\d s\na\.ts: wrong\n$/u
    )
  })
})
