import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { openRaw, type ServerProcess, startProcess, temporaryFolder } from "./world/ServerProcess.ts"
import { adminKey, at, textAt } from "./world/TestServer.ts"

let folder: ReturnType<typeof temporaryFolder>
const processes: Array<ServerProcess> = []

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  for (const running of processes.splice(0)) {
    running.kill("SIGKILL")
    await running.exit
  }
  folder.remove()
})

const start = (
  env: Readonly<Record<string, string>> = {},
  args?: ReadonlyArray<string>,
  isEmpty = false
): ServerProcess => {
  const started = startProcess({ LEADLOOM_DATA_DIR: join(folder.path, "data"), ...env }, args, isEmpty)
  processes.push(started)
  return started
}

const sendRequest = async (url: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return response.json()
}

describe("a running server", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("stops on %s with exit code 0", async (signal) => {
    const server = start()
    expect(await sendRequest(await server.url, "/health")).toMatchObject({ status: "ok" })
    server.kill(signal)
    expect(await server.exit).toEqual({ code: 0, signal: null })
    expect(server.stderr()).toBe("")
  })

  it("does not start on a database with another secret key, unless that key is reported as lost", async () => {
    const first = start({ LEADLOOM_SECRET_KEY: "the-secret-of-the-deployment-here" })
    await first.url
    first.kill("SIGTERM")
    await first.exit
    const stranger = start({ LEADLOOM_SECRET_KEY: "the-secret-of-another-deployment" })
    expect((await stranger.exit).code).toBe(1)
    expect(stranger.stderr()).toMatch(/^This database uses another secret key.*LEADLOOM_SECRET_KEY_LOST.*\n$/u)
    expect(stranger.stderr()).not.toContain("the-secret")
    const heir = start({ LEADLOOM_SECRET_KEY: "the-secret-of-another-deployment", LEADLOOM_SECRET_KEY_LOST: "yes" })
    await heir.url
    heir.kill("SIGTERM")
    await heir.exit
    expect((await start({ LEADLOOM_SECRET_KEY: "the-secret-of-the-deployment-here" }).exit).code).toBe(1)
    await start({ LEADLOOM_SECRET_KEY: "the-secret-of-another-deployment" }).url
  })

  it("finishes open requests before it stops, and accepts no new ones", async () => {
    const server = start()
    const url = await server.url
    const body = JSON.stringify({ tenant_id: "acme", name: "Acme" })
    const head = [
      "POST /api/v1/admin/tenants HTTP/1.1",
      "Host: leadloom.test",
      `Authorization: Bearer ${adminKey}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Expect: 100-continue",
      "Connection: close"
    ]
    const request = openRaw(url, `${head.join("\r\n")}\r\n\r\n`)
    await request.until("100 Continue")
    server.kill("SIGTERM")
    await vi.waitFor(() => expect(fetch(`${url}/health`)).rejects.toThrow("fetch failed"), {
      timeout: 60_000,
      interval: 20
    })
    request.socket.write(body)
    expect(await request.end).toContain("HTTP/1.1 201 Created")
    expect(await server.exit).toEqual({ code: 0, signal: null })
  })

  it.each([
    ["has sent no request", ""],
    ["has sent half of a request", "GET /health HTTP/1.1\r\nHost: leadloom.test\r\n"]
  ])("does not wait for a connection that %s", async (_, text) => {
    const server = start()
    const connection = openRaw(await server.url, text)
    // The server has accepted the earlier connection when it answers.
    expect(await sendRequest(await server.url, "/health")).toMatchObject({ status: "ok" })
    server.kill("SIGTERM")
    expect(await server.exit).toEqual({ code: 0, signal: null })
    connection.socket.destroy()
  })

  const mails = Array.from({ length: 60 }, (_, index) => ({
    name: `mail ${index}`,
    raw: Buffer.from(`From: c${index}@customer.example\r\nTo: sales@acme.com\r\n\r\nHow much?\r\n`).toString("base64")
  }))

  const acceptMails = async (url: string): Promise<ReadonlyArray<unknown>> => {
    await sendRequest(url, "/api/v1/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
    const results = at(await sendRequest(url, "/api/v1/import/acme/email", { historical: false, mails }), "results")
    if (!Array.isArray(results)) throw new Error("nothing was accepted")
    return results
  }

  it("loses no accepted data when it is killed", async () => {
    const first = start()
    const accepted = await acceptMails(await first.url)
    first.kill("SIGKILL")
    await first.exit
    const again = await start().url
    const repeated = at(await sendRequest(again, "/api/v1/import/acme/email", { historical: false, mails }), "results")
    expect(repeated).toMatchObject(
      accepted.map((result) => ({ outcome: "duplicate_of", message_id: at(result, "message_id") }))
    )
  })

  it("stops during its work without a signal that waits for a lease", async () => {
    const first = start()
    const accepted = await acceptMails(await first.url)
    first.kill("SIGTERM")
    expect((await first.exit).code).toBe(0)
    const again = await start().url
    const runs = () =>
      Promise.all(
        accepted.map((result) =>
          sendRequest(again, `/api/v1/tenants/acme/pipeline/runs/${textAt(result, "signal_id")}`)
        )
      )
    await vi.waitFor(async () => expect((await runs()).filter((run) => at(run, "run_id") === undefined)).toEqual([]), {
      timeout: 60_000,
      interval: 50
    })
  })

  it("rejects a second server on its data, in one line", async () => {
    const first = start()
    await first.url
    const second = start()
    expect((await second.exit).code).toBe(1)
    expect(second.stderr()).toMatch(/^[^\n]*in use by another server[^\n]*\n$/u)
    expect(await sendRequest(await first.url, "/health")).toMatchObject({ status: "ok" })
  })

  it("logs rejected requests as JSON lines, without bodies and secrets", async () => {
    const server = start()
    const url = await server.url
    await sendRequest(url, "/api/v1/admin/tenants?token=hunter2", { tenant_id: "HUNTER3", name: "hunter4" })
    server.kill("SIGTERM")
    await server.exit
    const lines = server
      .stdout()
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line))
    expect(lines.find((line) => at(line, "status") === 400)).toMatchObject({
      level: "info",
      method: "POST",
      path: "/api/v1/admin/tenants",
      request_id: expect.stringMatching(/^req_/u),
      duration_ms: expect.any(Number)
    })
    expect(server.stdout()).not.toMatch(new RegExp(`hunter|${adminKey}`, "iu"))
  })

  it("warns in its log if no admin key is set", async () => {
    const server = start({ LEADLOOM_ADMIN_KEY: "" })
    const url = await server.url
    await vi.waitFor(() => expect(server.stdout()).toContain("LEADLOOM_ADMIN_KEY is not set"), 60_000)
    expect(at(await sendRequest(url, "/api/v1/admin/tenants"), "error", "code")).toBe("UNAUTHORIZED")
  })

  it("answers invalid HTTP in the envelope, with a request id", async () => {
    const url = await start().url
    const garbage = await openRaw(url, "NONSENSE\r\n\r\n").end
    expect(garbage).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/u)
    expect(garbage).toMatch(/x-request-id: req_[0-9a-f]+/u)
    expect(garbage).toContain('{"error":{"code":"BAD_REQUEST"')
    const swollen = await openRaw(url, `GET /health HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`).end
    expect(swollen).toMatch(/^HTTP\/1\.1 431 /u)
    expect(await sendRequest(url, "/health")).toMatchObject({ status: "ok" })
  })

  it("rejects a body that is too large while it still arrives", async () => {
    const url = await start().url
    const head = `POST /api/v1/admin/tenants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey}\r\nContent-Type: application/json\r\n`
    const refused = await openRaw(url, `${head}Content-Length: 999999999\r\n\r\n${"x".repeat(1_100_000)}`).until(
      "\r\n\r\n"
    )
    expect(refused).toMatch(/^HTTP\/1\.1 413 /u)
  })
})

describe("a server that a program runs", () => {
  it("reports its URL and returns its exit code", async () => {
    const module = fileURLToPath(new URL("../src/main.ts", import.meta.url))
    const program = `import { serve } from ${JSON.stringify(module)}
      const code = await serve(process.env, { onListening: async ({ url }) => { console.error(url); process.kill(process.pid, "SIGTERM") } })
      console.error("code " + code)`
    const server = start({ LEADLOOM_HOST: "0.0.0.0" }, [
      "--conditions=leadloom:source",
      "--input-type=module",
      "-e",
      program
    ])
    expect(await server.exit).toEqual({ code: 0, signal: null })
    expect(server.stderr()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\ncode 0\n$/u)
  })
})

describe("a server that cannot start ends with exit code 1 and one line", () => {
  const actionLine = async (server: ServerProcess): Promise<string> => {
    expect(await server.exit).toEqual({ code: 1, signal: null })
    expect(server.stderr()).toMatch(/^[^\n]+\n$/u)
    return server.stderr().trim()
  }

  it("if the port is in use", async () => {
    const { port } = new URL(await start().url)
    const second = start({ LEADLOOM_PORT: port, LEADLOOM_DATA_DIR: join(folder.path, "second") }, undefined, true)
    expect(await actionLine(second)).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop the other program or set LEADLOOM_PORT.`
    )
    expect(existsSync(join(folder.path, "second"))).toBe(false)
  })

  it("if the address is not this machine's", async () => {
    expect(await actionLine(start({ LEADLOOM_HOST: "192.0.2.1" }))).toBe(
      "This machine does not have the address 192.0.2.1. Set LEADLOOM_HOST."
    )
  })

  it("if the data directory is not writable", async () => {
    writeFileSync(join(folder.path, "file"), "")
    const line = await actionLine(start({ LEADLOOM_DATA_DIR: join(folder.path, "file", "data") }))
    expect(line).toMatch(/^The data directory \S+ is not writable \(ENOTDIR\)/u)
  })

  it("if the database is invalid", async () => {
    const file = join(folder.path, "database")
    writeFileSync(file, "This is a text and no database. ".repeat(200))
    const line = await actionLine(start({ LEADLOOM_DATABASE_URL: `sqlite:${file}` }))
    expect(line).toMatch(/^The database cannot be used \(LEADLOOM_DATABASE_URL, LEADLOOM_DATA_DIR\): .*not a database/u)
    expect(await actionLine(start({ LEADLOOM_DATABASE_URL: "oracle://somewhere" }))).toContain("oracle")
  })

  it("if a variable is invalid", async () => {
    expect(await actionLine(start({ LEADLOOM_PORT: "eighty" }))).toContain("LEADLOOM_PORT")
  })
})
