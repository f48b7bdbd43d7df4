import { execFile, spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type RunningServer, startServer } from "./ServerProcess.ts"

const guide = fileURLToPath(new URL("../../../docs/how-to/first-tenant.md", import.meta.url))
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

describe.skipIf(missing.length > 0)(`the guide to the first tenant${note}`, () => {
  it("does what it says, command by command", async () => {
    const commands = commandsOf(readFileSync(guide, "utf8"))
    expect(commands.length).toBeGreaterThan(3)
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands.join("\n")], {
      cwd: folder,
      env: {
        HOME: folder,
        PATH: `${folder}${delimiter}${process.env["PATH"]}`,
        LEADLOOM_URL: server.url,
        LEADLOOM_ADMIN_KEY: adminKey
      }
    })
    expect(stdout).toContain('"status":"accepted"')
    expect(stdout).toContain('"contact_name":"Jo Smith"')
    expect(stdout).toMatch(/Saved version 2 with \d+ rules/u)
  })
})
