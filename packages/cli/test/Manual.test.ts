import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { manualPage } from "../generate/ManualPage.ts"

const run = promisify(execFile)
const file = fileURLToPath(new URL("../man/leadloom.1", import.meta.url))

const isInstalled = (program: string): Promise<boolean> =>
  run("which", [program]).then(
    () => true,
    () => false
  )
const [hasMan, hasMandoc] = await Promise.all([isInstalled("man"), isInstalled("mandoc")])

describe("the manual page", () => {
  it("contains every command with its options and examples", async () => {
    const page = await readFile(file, "utf8")
    expect(page).toBe(manualPage())
    for (const line of [
      ".SS leadloom billing credits grant",
      "\\fB\\-\\-max\\-in\\-flight <count>\\fR",
      "leadloom config put config.json \\-\\-tenant acme",
      'Channel of the message (choices: "email", "sms", "voice", "chat", "webhook")'
    ]) {
      expect(page).toContain(`\n${line}\n`)
    }
  })

  it.skipIf(!hasMan)(`is displayed by man without warnings${hasMan ? "" : " (not installed)"}`, async () => {
    const env = { PATH: process.env["PATH"], MANWIDTH: "80", LC_ALL: "C.UTF-8" }
    const { stderr, stdout } = await run("man", ["--warnings", "-P", "cat", "-l", file], { env, maxBuffer: 2 ** 24 })
    expect(stderr).toBe("")
    expect(stdout).toContain("leadloom tenants create")
  })

  it.skipIf(!hasMandoc)(`has no errors for mandoc${hasMandoc ? "" : " (not installed)"}`, async () => {
    const lint = run("mandoc", ["-T", "lint", "-W", "warning", file], { maxBuffer: 2 ** 24 })
    const found = await lint.catch((error: unknown) => Object(error))
    // The page has no date, because its text depends only on the commands.
    expect(String(found.stdout).replace(/^.*missing date.*\n/u, "")).toBe("")
  })
})
