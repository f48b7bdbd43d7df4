import { execFile, spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type RunningServer, startServer } from "./ServerProcess.ts"

const guideTo = (name: string): string => fileURLToPath(new URL(`../../../docs/how-to/${name}.md`, import.meta.url))
const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

/** What stands between ```sh and ```; other blocks are to be read. */
const commandsOf = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/^```sh\n(?<commands>[\s\S]*?)^```$/gmu)].map((match) => match.groups?.["commands"] ?? "")

let folder: string
let server: RunningServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-how-to-"))
  const conditions = "--conditions=development --conditions=leadloom:source"
  writeFileSync(join(folder, "leadloom"), `#!/bin/sh\nexec "${process.execPath}" ${conditions} "${main}" "$@"\n`)
  chmodSync(join(folder, "leadloom"), 0o755)
  server = await startServer(join(folder, "data"))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The guide is written for a shell with curl. */
const missing = ["bash", "curl", "sed"].filter((tool) => spawnSync(tool, ["--version"]).error !== undefined)
const note = missing.length === 0 ? "" : ` (NOT CHECKED: no ${missing.join(", ")} on this machine)`

/** Runs every command of a guide in one shell and gives what it printed. */
const follow = async (name: string): Promise<string> => {
  const commands = commandsOf(readFileSync(guideTo(name), "utf8"))
  expect(commands.length).toBeGreaterThan(1)
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands.join("\n")], {
    cwd: folder,
    env: {
      HOME: folder,
      PATH: `${folder}${delimiter}${process.env["PATH"]}`,
      LEADLOOM_URL: server.url,
      LEADLOOM_ADMIN_KEY: adminKey
    }
  })
  return stdout
}

describe.skipIf(missing.length > 0)(`a guide does what it says, command by command${note}`, () => {
  it("the one to the first tenant", async () => {
    const stdout = await follow("first-tenant")
    expect(stdout).toContain('"status":"accepted"')
    expect(stdout).toContain('"contact_name":"Jo Smith"')
    expect(stdout).toMatch(/Saved version 2 with \d+ rules/u)
  })

  it("the one to a tenant's email", async () => {
    const stdout = await follow("connect-email")
    expect(stdout).toMatch(/^account +The Bakery <hello@bakery\.example>$/mu)
    expect(stdout).toContain("Saved the signature.")
    expect(stdout).toMatch(/^message +msg_[0-9a-z]{26}$/mu)
  })
})
