import { EventEmitter, once } from "node:events"
import type { IncomingMessage } from "node:http"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { minBodyRate, watchBodyRate } from "../../src/http/BodyRate.ts"
import { coalesceBody, maxTinyChunks, minMeanChunkBytes } from "../../src/http/CoalescedBody.ts"
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
    await vi.waitUntil(() => (unread?.readableLength ?? 0) > 0, 60_000)
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
    const body = Buffer.from(Array.from({ length: 10_000 * minMeanChunkBytes }, (_, index) => index % 251))
    const received: Array<Buffer> = []
    server.on("request", (request, response) => {
      request.on("data", (chunk: Buffer) => received.push(chunk)).on("end", () => response.end("all"))
    })
    expect(await openRaw(url, chunked(body, 2 * minMeanChunkBytes)).end).toContain("all")
    expect(Buffer.concat(received).equals(body)).toBe(true)
    expect(received.length).toBeLessThan(1_000)
  })

  it("slows down a sender that is faster than the reader, and reads its whole body", async () => {
    const { body, chunks } = fakeBody()
    coalesceBody(body, Number.NaN, () => undefined)
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

const chunked = (body: Buffer, size: number, first: ReadonlyArray<Buffer> = []): Buffer => {
  const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size)
  )
  const head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
  const parts = [...first, ...pieces].flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from("\r\n")
  ])
  return Buffer.concat([Buffer.from(head), ...parts, Buffer.from("0\r\n\r\n")])
}

const fakeBody = () => {
  const chunks: Array<unknown> = []
  const push = (chunk: unknown) => chunks.push(chunk) > 0
  return { chunks, body: { destroyed: false, readableLength: 0, readableHighWaterMark: 100, push } }
}

describe("a body in tiny chunks", () => {
  const tiny = Buffer.alloc(100_000, "x")

  /** Sends the bytes to a handler that ends the response with the body. */
  const send = async (bytes: Buffer, isRead = true) => {
    const seen = { paths: new Array<string>(), ended: 0 }
    const closed: Array<Promise<unknown>> = []
    server.on("request", (request, response) => {
      seen.paths.push(request.url ?? "")
      closed.push(once(response, "close"))
      const received: Array<Buffer> = []
      if (isRead) request.on("data", (chunk: Buffer) => received.push(chunk)).on("error", () => undefined)
      request.on("end", () => {
        seen.ended += 1
        response.end(Buffer.concat(received))
      })
    })
    const answer = await openRaw(url, bytes).end
    await Promise.all(closed)
    return { answer, ...seen }
  }

  it.each([
    ["is rejected while the application reads it", true, []],
    ["is rejected if the application does not read it", false, []],
    ["is rejected while the server waits for the application", false, [Buffer.alloc(62_000)]]
  ])("%s", async (_title, isRead, first) => {
    const next = Buffer.from("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
    const { answer, ended, paths } = await send(Buffer.concat([chunked(tiny, 1, first), next]), isRead)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/u)
    expect(answer).toContain("BAD_REQUEST")
    expect(answer).toContain("Send larger chunks, for example of 16 KiB, or send the body with Content-Length.")
    // The application gets no end of the body, and the server does not parse the rest of the connection.
    expect([ended, paths]).toEqual([0, ["/"]])
  })

  it("is rejected after the response, too", async () => {
    server.on("request", (request, response) => {
      request.on("data", () => undefined).on("error", () => undefined)
      response.end("early")
    })
    const head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    const next = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"
    const answer = await openRaw(url, `${head}${"1\r\nx\r\n".repeat(100_000)}0\r\n\r\n${next}`).end.catch(() => "early")
    expect(answer.match(/early/gu)).toHaveLength(1)
  })

  it("is accepted up to a number of chunks", async () => {
    const body = tiny.subarray(0, maxTinyChunks)
    expect((await send(chunked(body, 1))).answer).toContain(`\r\n${body.toString()}`)
  })

  it("is accepted if each chunk arrives alone, whatever their number", async () => {
    const { body, chunks } = fakeBody()
    let refusals = 0
    coalesceBody(body, Number.NaN, () => (refusals += 1))
    for (let count = 0; count < 2 * maxTinyChunks; count += 1) {
      body.push(Buffer.alloc(1))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect([chunks.length, refusals]).toEqual([2 * maxTinyChunks, 0])
    for (let count = 0; count <= maxTinyChunks; count += 1) body.push(Buffer.alloc(1))
    expect(refusals).toBe(0)
    for (let count = 0; count < 10; count += 1) body.push(Buffer.alloc(1))
    expect(refusals).toBe(1)
  })
})
