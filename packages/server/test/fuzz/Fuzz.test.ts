import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { fuzz, fuzzEnvironment } from "./Run.ts"
import { closeTarget, settle } from "./Target.ts"

const folder = temporaryFolder()
let server: ServerProcess

beforeAll(() => {
  server = startProcess(fuzzEnvironment(folder.path))
})
afterAll(async () => {
  closeTarget()
  server.kill("SIGKILL")
  await server.exit
  folder.remove()
})

describe("a server under random requests", () => {
  it("answers every request according to the contract and never fails", async () => {
    const url = await server.url
    const report = await fuzz(url, await settle(url), { requests: 2_000, seed: 1 })
    expect(report.faults).toEqual([])
    expect(report.sent).toBe(2_000)
    // A third of the operations must succeed at least once; otherwise the requests did not pass the checks.
    const fine = [...report.operations.values()].filter((one) => one.fine > 0)
    expect(fine.length).toBeGreaterThan(report.operations.size / 3)
    expect(server.stdout() + server.stderr()).not.toMatch(/"level":"(?:ERROR|FATAL)"/u)
  }, 300_000)
})
