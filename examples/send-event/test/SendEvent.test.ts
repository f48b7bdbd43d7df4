import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createClient } from "@leadloom/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type RunningServer, startServer } from "../../../packages/cli/test/ServerProcess.ts"

const run = promisify(execFile)
const example = fileURLToPath(new URL("../index.ts", import.meta.url))

let folder = ""
let server: RunningServer | null = null
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadloom-example-"))
  server = await startServer(folder)
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe("examples/send-event", () => {
  it("sends an event once in repeated runs and reads the conversation", async () => {
    const url = server?.url ?? ""
    const operator = createClient({ baseUrl: url, credential: adminKey })
    await operator.tenants.create({ tenant_id: "partner", name: "Partner" })
    const source = await operator.sources.create("partner", { source_id: "website" })
    const apiKey = await operator.apiKeys.create("partner", { name: "example" })
    const env = {
      LEADLOOM_URL: url,
      LEADLOOM_TENANT: "partner",
      LEADLOOM_SOURCE_KEY: source.key,
      LEADLOOM_API_KEY: apiKey.key
    }
    const start = () => run(process.execPath, ["--conditions=leadloom:source", example], { env })
    const { stdout } = await start()
    expect(stdout).toMatch(
      /^event accepted\n\S+ webhook contact: Could you send me a quote for a new roof this week\?\n$/u
    )
    expect((await start()).stdout).toBe(stdout)
    const failure = await run(process.execPath, ["--conditions=leadloom:source", example], {
      env: { ...env, LEADLOOM_SOURCE_KEY: "lls_wrong" }
    }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringMatching(/^UNAUTHORIZED: .*\(req_\w+\)\n$/u) })
  })
})
