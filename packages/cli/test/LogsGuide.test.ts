import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { follow, missingNote, missingTools } from "./Guide.ts"
import { adminKey, spawnLeadloom, watch } from "./ServerProcess.ts"

const requestId = "req_0123456789abcdef01234567"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-logs-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(missingTools.length > 0)(`the guide to logs${missingNote}`, () => {
  it("finds a request, and reports that a message has no line", async () => {
    const child = spawnLeadloom(["serve", "--port", "0", "--data-dir", folder], { LEADLOOM_ADMIN_KEY: adminKey })
    const server = watch(child)
    const { groups } = await server.says(/"event":"server\.listening","message":"listening","url":"(?<url>[^"]+)"/u)
    await fetch(`${groups?.["url"]}/api/v1/nowhere`, { headers: { "x-request-id": requestId } })
    child.kill("SIGTERM")
    await server.ends
    writeFileSync(join(folder, "leadloom.log"), server.output().out)
    const { commands, stdout } = await follow("logs.md", folder, {})
    expect(commands).toBe(2)
    expect(stdout).toMatch(/"event":"request\.refused".*"status":404/u)
    expect(stdout).toContain("The log has no line about msg_01jv3k8r2q5w7y9z0a1b2c3d4e.")
  })
})
