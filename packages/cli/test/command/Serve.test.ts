import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeFolder, removeFolder } from "../FakeTerminal.ts"
import { adminKey, spawnLeadloom, watch } from "../ServerProcess.ts"

let folder = ""
beforeAll(async () => {
  folder = await makeFolder()
})
afterAll(() => removeFolder(folder))

const serve = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const child = spawnLeadloom(["serve", "--data-dir", join(folder, "data"), ...args], env)
  return { child, watched: watch(child) }
}

describe("serve --json", () => {
  it("reports one wrong setting as one line of JSON on standard error", async () => {
    const { watched } = serve(["--json"], { LEADLOOM_PORT: "80x" })
    expect(await watched.ends).toBe(1)
    expect(watched.output()).toEqual({
      out: "",
      err: '{"error":{"code":"CONFIGURATION_INVALID","message":"LEADLOOM_PORT must be an integer from 0 to 65535, not \\"80x\\".","details":null,"request_id":null}}\n'
    })
  })

  it("reports several wrong settings with their names", async () => {
    const { watched } = serve(["--json"], { LEADLOOM_PORT: "80x", LEADLOOM_COLOR: "x" })
    expect(await watched.ends).toBe(1)
    expect(JSON.parse(watched.output().err).error).toMatchObject({
      message: "The server did not start, for 2 reasons.",
      details: [
        { path: "LEADLOOM_PORT", message: expect.stringContaining("integer") },
        { path: "LEADLOOM_COLOR", message: expect.stringContaining("is not a variable") }
      ]
    })
  })

  it("reports a failed start as JSON on standard error, and the log as JSON lines on standard output", async () => {
    const occupant = createServer()
    await new Promise<void>((resolve) => {
      occupant.listen(0, "127.0.0.1", resolve)
    })
    const { port } = occupant.address() as AddressInfo
    const { watched } = serve(["--json", "--port", String(port)], { LEADLOOM_ADMIN_KEY: adminKey })
    expect(await watched.ends).toBe(1)
    await new Promise((resolve) => {
      occupant.close(resolve)
    })
    const { err, out } = watched.output()
    expect(err).toBe(
      `{"error":{"code":"START_FAILED","message":"Port ${port} on 127.0.0.1 is in use. Stop the other program or set LEADLOOM_PORT.","details":null,"request_id":null}}\n`
    )
    const lines = out.trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line).message)).toContain("starting")
  })

  it("writes the demo as JSON lines too", async () => {
    const { child, watched } = serve(["--json", "--demo", "--port", "0"])
    await watched.says(/Stop with Ctrl-C/u)
    child.kill("SIGTERM")
    expect(await watched.ends).toBe(0)
    const { err, out } = watched.output()
    expect(err).toBe("")
    const messages = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).message)
    expect(messages).toContain("demo")
  })
})

describe("serve", () => {
  it("reports wrong settings as text without --json", async () => {
    const { watched } = serve([], { LEADLOOM_PORT: "80x", LEADLOOM_LOG_LEVEL: "inof" })
    expect(await watched.ends).toBe(1)
    expect(watched.output().err).toBe(
      `LEADLOOM_PORT must be an integer from 0 to 65535, not "80x".
LEADLOOM_LOG_LEVEL must be one of error, warn, info, debug, not "inof". Did you mean info?
`
    )
  })
})
