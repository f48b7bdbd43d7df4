import { EventEmitter, once } from "node:events"
import type { IncomingMessage } from "node:http"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { minBodyRate, watchBodyRate } from "../../src/http/BodyRate.ts"
import { coalesceBody } from "../../src/http/CoalescedBody.ts"
import { makeListener } from "../../src/http/Listener.ts"
import { openRaw } from "../world/ServerProcess.ts"

let server: ReturnType<typeof makeListener>
let url: string
beforeEach(async () => {
  server = makeListener()
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

describe("the listener", () => {
  it("answers 503 while no application is attached, including health", async () => {
    for (const path of ["/health", "/api/v1/sessions"]) {
      const response = await fetch(`${url}${path}`)
      expect(response.status).toBe(503)
      expect(response.headers.get("retry-after")).toBe("1")
      expect(response.headers.get("x-request-id")).toMatch(/^req_/u)
      expect(await response.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
    }
  })

  it("passes requests to the application while it is attached", async () => {
    const application = (_: unknown, response: { end: (text: string) => void }) => response.end("mine")
    server.on("request", application)
    expect(await (await fetch(url)).text()).toBe("mine")
    server.off("request", application)
    expect((await fetch(url)).status).toBe(503)
  })

  it("closes a busy connection when the server stops", async () => {
    // Otherwise Node would close the connection after a while.
    server.keepAliveTimeout = 0
    server.on("request", (_request, response) => {
      server.close()
      response.end("last words")
    })
    const received = await openRaw(url, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").end
    expect(received).toContain("last words")
  })

  it("limits the arrival time of a request", () => {
    expect(server.headersTimeout).toBeLessThanOrEqual(10_000)
    expect(server.requestTimeout).toBeLessThanOrEqual(6 * 3_600_000 + 10_000)
    expect(server.requestTimeout).toBeGreaterThan(0)
  })

  it("closes the connection of a body that takes longer than its path permits", async () => {
    const paths: Array<string> = []
    const impatient = makeListener(undefined, (path) => 20 * paths.push(path))
    impatient.on("request", () => undefined)
    impatient.listen(0, "127.0.0.1")
    await once(impatient, "listening")
    const address = impatient.address()
    const port = typeof address === "object" ? address?.port : ""
    const head = "HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"
    await openRaw(`http://127.0.0.1:${port}`, `POST /slow ${head}\r\n1`).end.catch(() => "")
    // A request that was answered with 100 (RFC 9110 section 10.1.1) has the same limit.
    impatient.on("checkContinue", (_request, response) => response.writeContinue())
    const waitingClient = openRaw(`http://127.0.0.1:${port}`, `POST /told ${head}Expect: 100-continue\r\n\r\n`)
    expect(await waitingClient.end).toBe("HTTP/1.1 100 Continue\r\n\r\n")
    expect(paths).toEqual(["/slow", "/told"])
    impatient.closeAllConnections()
    impatient.close()
  })

  it("closes the connection of a slow body, but not of one that waits for the server", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    const requests: Array<IncomingMessage> = []
    server.on("request", (request) => requests.push(request))
    const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n\r\n`
    const slow = openRaw(url, head("/slow"))
    await once(server, "request")
    const waiting = openRaw(url, `${head("/waiting")}unread`)
    await once(server, "request")
    const [drained, unread] = requests
    drained?.resume()
    await vi.waitUntil(() => (unread?.readableLength ?? 0) > 0)
    vi.advanceTimersByTime(minBodyRate.seconds * 1_000)
    expect(await slow.end).toBe("")
    vi.advanceTimersByTime(minBodyRate.seconds * 10_000)
    expect([drained?.socket.destroyed, unread?.socket.destroyed]).toEqual([true, false])
    server.closeAllConnections()
    await waiting.end.catch(() => "")
    vi.useRealTimers()
  })

  it("accepts a body at the minimum rate", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    const socket = { bytesRead: 0 }
    const request = Object.assign(new EventEmitter(), { complete: false, readableLength: 0, socket })
    let isSlow = false
    watchBodyRate(request, { bytes: 10, seconds: 5 }, () => (isSlow = true))
    for (let second = 0; second < 60; second += 1) {
      socket.bytesRead += 2
      vi.advanceTimersByTime(1_000)
    }
    expect(isSlow).toBe(false)
    vi.advanceTimersByTime(5_000)
    expect(isSlow).toBe(true)
    vi.useRealTimers()
  })

  it("joins the small chunks of a body without changing its bytes", async () => {
    const body = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))
    const received: Array<Buffer> = []
    server.on("request", (request, response) => {
      request.on("data", (chunk: Buffer) => received.push(chunk)).on("end", () => response.end("all"))
    })
    const head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    const chunks = [...body].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`)
    const raw = Buffer.from(`${head}${chunks.join("")}0\r\n\r\n`, "latin1")
    expect(await openRaw(url, raw).end).toContain("all")
    expect(Buffer.concat(received).equals(body)).toBe(true)
    expect(received.length).toBeLessThan(1_000)
  })

  it("slows down a sender that is faster than the reader, and reads its whole body", async () => {
    const chunks: Array<unknown> = []
    const body = {
      destroyed: false,
      readableLength: 0,
      readableHighWaterMark: 100,
      push: (chunk: unknown) => chunks.push(chunk) > 0
    }
    coalesceBody(body, Number.NaN)
    expect(body.push(Buffer.alloc(60))).toBe(true)
    expect(body.push(Buffer.alloc(60))).toBe(false)
    body.push(Buffer.alloc(20_000))
    body.push(Buffer.alloc(1))
    body.push(null)
    expect(chunks.map((chunk) => (Buffer.isBuffer(chunk) ? chunk.length : chunk))).toEqual([120, 20_000, 1, null])
    await new Promise((resolve) => setImmediate(resolve))
    expect(chunks).toHaveLength(4)
  })
})
