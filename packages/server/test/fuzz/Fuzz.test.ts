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

describe("a server that is asked anything", () => {
  it("answers everything in the words of the contract, and never breaks", async () => {
    const url = await server.url
    const report = await fuzz(url, await settle(url), { requests: 2_000, seed: 1 })
    expect(report.faults).toEqual([])
    expect(report.sent).toBe(2_000)
    // Nearly right has to be right often enough, or nothing behind the checks was reached.
    const fine = [...report.operations.values()].filter((one) => one.fine > 0)
    expect(fine.length).toBeGreaterThan(report.operations.size / 3)
    expect(server.stdout() + server.stderr()).not.toMatch(/"level":"(?:ERROR|FATAL)"/u)
  }, 300_000)
})
