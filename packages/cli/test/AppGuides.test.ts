import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { follow, missingNote, missingTools } from "./Guide.ts"
import { adminKey, spawnLeadloom, watch } from "./ServerProcess.ts"

/** Runs a server to its end and returns its log, after a request with this id to an unknown route. */
const logOfRequest = async (folder: string, requestId: string, format: string): Promise<string> => {
  const env = { LEADLOOM_ADMIN_KEY: adminKey, LEADLOOM_LOG_FORMAT: format }
  const child = spawnLeadloom(["serve", "--port", "0", "--data-dir", folder], env)
  const server = watch(child)
  const { groups } = await server.says(/(?<url>http:\/\/127\.0\.0\.1:\d+)/u)
  await fetch(`${groups?.["url"]}/api/v1/nowhere`, { headers: { "x-request-id": requestId } })
  child.kill("SIGTERM")
  await server.ends
  return server.output().out
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-guide-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(missingTools.length > 0)(`the guides${missingNote}`, () => {
  it("to logs finds a request, and reports that a message has no line", async () => {
    const log = await logOfRequest(folder, "req_0123456789abcdef01234567", "json")
    expect(log).toMatch(/"event":"server\.listening","message":"listening","url":/u)
    writeFileSync(join(folder, "leadloom.log"), log)
    const { commands, stdout } = await follow("logs.md", folder, {})
    expect(commands).toBe(2)
    expect(stdout).toMatch(/"event":"request\.refused".*"status":404/u)
    expect(stdout).toContain("The log has no line about msg_01jv3k8r2q5w7y9z0a1b2c3d4e.")
  })

  // The line that docs/how-to/logs.md shows.
  it("to logs shows the format `pretty`", async () => {
    const log = await logOfRequest(folder, "req_1", "pretty")
    const listening =
      /^\S+Z INFO {2}listening {2}event=server\.listening url=http:\/\/127\.0\.0\.1:\d+ data_dir=\/\S+$/mu
    expect(log).toMatch(listening)
    expect(log).toMatch(/^\S+Z INFO {2}request refused {2}event=request\.refused request_id=req_1 .*status=404/mu)
  })
})
