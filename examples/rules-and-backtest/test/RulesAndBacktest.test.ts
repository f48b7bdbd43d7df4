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
let server: RunningServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadloom-example-"))
  server = await startServer(folder)
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

describe("examples/rules-and-backtest", () => {
  it("reports the effect of the rules on past messages and saves them on request", async () => {
    const operator = createClient({ baseUrl: server.url, credential: adminKey })
    await operator.tenants.create({ tenant_id: "roofs", name: "Roofs" })
    const own = {
      id: "own",
      name: "Own",
      priority: 1,
      when: { all: [] },
      actions: [{ type: "tag", tag: "all" }]
    } as const
    await operator.config.update("roofs", { rules: [own] })
    for (const message of ["The roof has a leak.", "How much is a new roof?"])
      await operator.pipeline.run("roofs", { message, contact: { email: "grace@example.org" } })
    const start = async (...args: ReadonlyArray<string>) => {
      const env = { LEADLOOM_URL: server.url, LEADLOOM_TENANT: "roofs", LEADLOOM_ADMIN_KEY: adminKey }
      const { stdout } = await run(process.execPath, ["--conditions=leadloom:source", example, ...args], { env })
      return stdout.trimEnd().split("\n")
    }
    const report = [
      "2 messages examined, 1 decided differently",
      'rule "Water damage is called back within the hour": 0 -> 1',
      "  The roof has a leak.",
      "action tag: 2 -> 3",
      "action create_task: 0 -> 1"
    ]
    expect(await start()).toEqual(report)
    expect((await operator.config.get("roofs")).config.rules.map(({ id }) => id)).toEqual(["own"])
    expect(await start("--apply")).toEqual([...report, "saved as version 3"])
    expect((await operator.config.get("roofs")).config.rules.map(({ id }) => id)).toEqual(["own", "water-damage"])
  })
})
