import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type ByteStream, createClient, type FetchResponse, type ServerEvent } from "../src/index.ts"
import { failure, stubFetch } from "./StubFetch.ts"

/** The time after which every reconnect has begun, in milliseconds. */
const reconnectMs = 30_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A body that the test writes, and the response with that body. */
const openBody = () => {
  const encoder = new TextEncoder()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const response: FetchResponse = new Response(readable, { headers: { "content-type": "text/event-stream" } })
  return {
    response,
    write: (text: string | Uint8Array) => writer.write(typeof text === "string" ? encoder.encode(text) : text),
    writer
  }
}

/** Returns a response whose body arrives in chunks of one size. */
const responseOf = (bytes: Uint8Array, size: number): FetchResponse => {
  let at = 0
  const read = () => {
    const value = bytes.subarray(at, (at += size))
    return Promise.resolve(value.length === 0 ? { done: true } : { done: false, value })
  }
  const body: ByteStream = { getReader: () => ({ read, cancel: () => Promise.resolve() }) }
  const { headers } = new Response(null, { headers: { "content-type": "text/event-stream" } })
  return { status: 200, headers, text: () => Promise.resolve(""), body }
}
const textResponse = (text: string): FetchResponse => responseOf(new TextEncoder().encode(text), 1_000)

const clientOf = (...answers: ReadonlyArray<() => FetchResponse>) => {
  const { fetch, sent } = stubFetch(answers)
  return { sent, client: createClient({ baseUrl: "https://leads.example.com", fetch, timeoutMs: 50, maxRetries: 0 }) }
}

const envelope = (text: string) => ({ event_type: "lead.scored", data: { text } })
const scored = (id: number, text = "x"): string =>
  `id: ${id}\nevent: lead.scored\ndata: ${JSON.stringify(envelope(text))}\n\n`
const received = (id: number, text = "x") => ({
  id: String(id),
  type: "lead.scored",
  data: JSON.stringify(envelope(text)),
  event: envelope(text)
})

/** Reads events until the stream has yielded `count` of them, or has ended. Reconnects take no time. */
const take = async (stream: AsyncGenerator<ServerEvent>, count: number): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  const read = (async () => {
    for await (const { id } of stream) if (ids.push(id) === count) return
  })()
  const state = { ended: false }
  const settled = read.finally(() => (state.ended = true))
  settled.catch(() => undefined)
  while (!state.ended) await vi.advanceTimersByTimeAsync(reconnectMs)
  await settled
  return ids
}

describe("an event stream", () => {
  it("yields each event as soon as it is complete, for any chunk size", async () => {
    const { response, write } = openBody()
    const { client, sent } = clientOf(() => response)
    const stream = client.eventFeed.stream("acme", { after: 6 })
    const first = stream.next()
    void write("retry: 2000\n: nothing new\nid: 6\n\n")
    void write(scored(7))
    // The first event arrives before the test writes the second one.
    expect((await first).value).toEqual(received(7))
    const second = stream.next()
    const bytes = new TextEncoder().encode(scored(8, "größe 🙈"))
    for (const byte of bytes) void write(Uint8Array.of(byte))
    expect((await second).value).toEqual(received(8, "größe 🙈"))
    await stream.return()
    expect(sent.map(({ headers, url }) => [url.pathname, url.search, headers["accept"]])).toEqual([
      ["/api/v1/tenants/acme/events/stream", "?after=6", "text/event-stream"]
    ])
  })

  it("closes the connection when the caller stops iterating", async () => {
    const { response, write, writer } = openBody()
    const { client } = clientOf(() => response)
    void write(scored(1))
    for await (const { event } of client.eventFeed.stream("acme")) {
      if (event.event_type === "lead.scored") break
    }
    await expect(writer.closed).rejects.toBeUndefined()
  })

  it("ends when the signal aborts: before, during and between connections", async () => {
    const { response, write, writer } = openBody()
    const { client, sent } = clientOf(
      () => response,
      () => textResponse(scored(2))
    )
    expect(await take(client.eventFeed.stream("acme", { signal: AbortSignal.abort() }), 1)).toEqual([])
    expect(sent).toHaveLength(0)
    const leaving = new AbortController()
    const stream = client.eventFeed.stream("acme", { signal: leaving.signal })
    void write(scored(1))
    await stream.next()
    const next = stream.next()
    leaving.abort()
    // Behaves like the response body of `fetch` after its signal aborts.
    void writer.abort(leaving.signal.reason)
    expect((await next).done).toBe(true)
    const between = new AbortController()
    const second = client.eventFeed.stream("acme", { signal: between.signal })
    expect((await second.next()).value).toEqual(received(2))
    const waiting = second.next()
    await vi.advanceTimersByTimeAsync(1)
    between.abort()
    expect((await waiting).done).toBe(true)
    expect(sent).toHaveLength(2)
  })

  it("opens a new connection after the last id when one ends or breaks", async () => {
    const broken = openBody()
    const { client, sent } = clientOf(
      () => textResponse("retry: 2000\n: nothing new\nid: 6\n\n"),
      () => textResponse(scored(7) + ": nothing new\nid: 9\n\n"),
      () => broken.response,
      () => failure(503, "SERVICE_UNAVAILABLE"),
      () => textResponse(scored(12) + scored(13))
    )
    let opened = 0
    const positions: Array<string> = []
    void broken.write(scored(10)).then(() => broken.writer.abort(new Error("gone")))
    const stream = client.eventFeed.stream("acme", { onOpen: () => opened++, onPosition: (id) => positions.push(id) })
    expect(await take(stream, 4)).toEqual(["7", "10", "12", "13"])
    expect(sent.map(({ url }) => url.search)).toEqual(["", "?after=6", "?after=9", "?after=10", "?after=10"])
    expect(positions).toEqual(["6", "7", "9", "10", "12", "13"])
    expect(opened).toBe(4)
  })

  it("replaces a connection that stays silent longer than three heartbeats", async () => {
    const silent = openBody()
    const { client, sent } = clientOf(
      () => silent.response,
      () => textResponse(scored(2))
    )
    const stream = client.eventFeed.stream("acme")
    void silent.write(scored(1))
    expect((await stream.next()).value).toEqual(received(1))
    const next = stream.next()
    await vi.advanceTimersByTimeAsync(44_000)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(4_000)
    expect((await next).value).toEqual(received(2))
    expect(sent[1]?.url.search).toBe("?after=1")
  })

  it("ends after the stored events without a new connection if `follow` is false", async () => {
    const { client, sent } = clientOf(() => textResponse(scored(1) + scored(2)))
    expect(await take(client.eventFeed.stream("acme", { follow: false }), 9)).toEqual(["1", "2"])
    expect(sent).toHaveLength(1)
  })

  it("fails when the first connection fails, and when the server rejects a later one", async () => {
    const refused = clientOf(() => failure(404, "NOT_FOUND"))
    await expect(take(refused.client.eventFeed.stream("nobody"), 1)).rejects.toMatchObject({ code: "NOT_FOUND" })
    const down = clientOf(() => failure(503, "SERVICE_UNAVAILABLE"))
    await expect(take(down.client.eventFeed.stream("acme"), 1)).rejects.toMatchObject({ status: 503 })
    const revoked = clientOf(
      () => textResponse(scored(1)),
      () => failure(401, "UNAUTHORIZED")
    )
    await expect(take(revoked.client.eventFeed.stream("acme"), 2)).rejects.toMatchObject({ code: "UNAUTHORIZED" })
    expect(revoked.sent).toHaveLength(2)
  })

  it("parses a long event in one-byte chunks, and rejects an endless event and invalid JSON", async () => {
    const long = JSON.stringify("x".repeat(200_000))
    const { client } = clientOf(() => responseOf(new TextEncoder().encode(`id: 9\ndata: ${long}\n\n`), 1))
    expect((await client.eventFeed.stream("acme").next()).value).toMatchObject({ id: "9", type: "message", data: long })
    const endless = clientOf(() => responseOf(new Uint8Array(17 * 1_048_576).fill(120), 1_048_576))
    await expect(endless.client.eventFeed.stream("acme").next()).rejects.toMatchObject({
      code: "UNEXPECTED_RESPONSE",
      message: expect.stringContaining("The event exceeds")
    })
    const page = clientOf(() => textResponse("id: 1\ndata: <html>\n\n"))
    await expect(page.client.eventFeed.stream("acme").next()).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE" })
  })
})
