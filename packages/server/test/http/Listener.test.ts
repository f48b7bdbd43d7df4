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
  it("answers 503 while nothing is attached to it, health included", async () => {
    for (const path of ["/health", "/api/v1/sessions"]) {
      const response = await fetch(`${url}${path}`)
      expect(response.status).toBe(503)
      expect(response.headers.get("retry-after")).toBe("1")
      expect(response.headers.get("x-request-id")).toMatch(/^req_/u)
      expect(await response.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
    }
  })

  it("leaves requests to the application once it is attached, and takes them back after", async () => {
    const application = (_: unknown, response: { end: (text: string) => void }) => response.end("mine")
    server.on("request", application)
    expect(await (await fetch(url)).text()).toBe("mine")
    server.off("request", application)
    expect((await fetch(url)).status).toBe(503)
  })

  it("lets go of a connection that was busy when the server was told to stop", async () => {
    // Without this Node would let go of it by itself after a while.
    server.keepAliveTimeout = 0
    server.on("request", (_request, response) => {
      server.close()
      response.end("last words")
    })
    const received = await openRaw(url, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").end
    expect(received).toContain("last words")
  })

  it("bounds how long a request may take to arrive", () => {
    expect(server.headersTimeout).toBeLessThanOrEqual(10_000)
    expect(server.requestTimeout).toBeLessThanOrEqual(6 * 3_600_000 + 10_000)
    expect(server.requestTimeout).toBeGreaterThan(0)
  })

  it("lets go of who sends a body more slowly than its path allows", async () => {
    const requested: Array<string> = []
    const impatient = makeListener(undefined, (path) => 20 * requested.push(path))
    impatient.on("request", () => undefined)
    impatient.listen(0, "127.0.0.1")
    await once(impatient, "listening")
    const address = impatient.address()
    const port = typeof address === "object" ? address?.port : ""
    const head = "HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"
    await openRaw(`http://127.0.0.1:${port}`, `POST /slow ${head}\r\n1`).end.catch(() => "")
    // Who was told to go on (RFC 9110 section 10.1.1) is no less bounded.
    impatient.on("checkContinue", (_request, response) => response.writeContinue())
    const reported = openRaw(`http://127.0.0.1:${port}`, `POST /told ${head}Expect: 100-continue\r\n\r\n`)
    expect(await reported.end).toBe("HTTP/1.1 100 Continue\r\n\r\n")
    expect(requested).toEqual(["/slow", "/told"])
    impatient.closeAllConnections()
    impatient.close()
  })

  it("lets go of a body that arrives too slowly, and never of one that waits for the server", async () => {
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

  it("keeps a body that arrives at the least rate", () => {
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

  it("joins the small chunks of a body, and changes nothing of it", async () => {
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

  it("slows down who sends faster than the body is read, and ends in order", async () => {
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
