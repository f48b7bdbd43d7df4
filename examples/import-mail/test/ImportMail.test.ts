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
const arrivals = fileURLToPath(new URL("../../../packages/cli/demo/arrivals/", import.meta.url))

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

describe("examples/import-mail", () => {
  it("prints the outcome of each mail", async () => {
    const url = server?.url ?? ""
    const operator = createClient({ baseUrl: url, credential: adminKey })
    await operator.tenants.create({ tenant_id: "history", name: "History", domain: "example.com" })
    const env = { LEADLOOM_URL: url, LEADLOOM_TENANT: "history", LEADLOOM_ADMIN_KEY: adminKey }
    const names = ["01-quote-request.eml", "06-out-of-office.eml"]
    const files = names.map((name) => join(arrivals, name))
    const start = () => run(process.execPath, ["--conditions=leadloom:source", example, ...files], { env })
    const outcomes = (stdout: string) =>
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split("\t")[1])
    expect(outcomes((await start()).stdout)).toEqual(["message", "auto"])
    expect(outcomes((await start()).stdout)).toEqual(["duplicate_of", "duplicate_of"])
  })
})
