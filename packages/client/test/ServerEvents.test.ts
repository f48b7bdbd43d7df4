import { describe, expect, it } from "vitest"
import { type ByteStream, createClient, type FetchResponse, type ServerEvent } from "../src/index.ts"
import { failure, stubFetch } from "./StubFetch.ts"

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
  return {
    status: 200,
    headers,
    text: () => Promise.resolve(""),
    arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
    body
  }
}

const clientOf = (...answers: ReadonlyArray<() => FetchResponse>) => {
  const { fetch, sent } = stubFetch(answers)
  return { sent, client: createClient({ baseUrl: "https://leads.example.com", fetch, timeoutMs: 50 }) }
}

const scored = (id: number, text = "x"): string => `id: ${id}\nevent: lead.scored\ndata: {"text":"${text}"}\n\n`

describe("an event stream", () => {
  it("yields each event as soon as it is complete, for any chunk size", async () => {
    const { response, write, writer } = openBody()
    const { client, sent } = clientOf(() => response)
    const stream = client.eventFeed.stream("acme", { after: 6 })
    const first = stream.next()
    void write("retry: 2000\n: nothing new\nid: 6\n\n")
    void write(scored(7))
    // The first event arrives before the test writes the second one.
    expect((await first).value).toEqual({ id: "7", type: "lead.scored", data: '{"text":"x"}' })
    const second = stream.next()
    const bytes = new TextEncoder().encode(scored(8, "größe 🙈"))
    for (const byte of bytes) void write(Uint8Array.of(byte))
    expect((await second).value).toEqual({ id: "8", type: "lead.scored", data: '{"text":"größe 🙈"}' })
    void writer.close()
    expect((await stream.next()).done).toBe(true)
    expect(sent.map(({ headers, url }) => [url.pathname, url.search, headers["accept"]])).toEqual([
      ["/api/v1/tenants/acme/events/stream", "?after=6", "text/event-stream"]
    ])
  })

  it("closes the connection when the caller stops iterating", async () => {
    const { response, write, writer } = openBody()
    const { client } = clientOf(() => response)
    const seen: Array<ServerEvent> = []
    void write(scored(1))
    for await (const event of client.eventFeed.stream("acme")) {
      seen.push(event)
      break
    }
    expect(seen).toHaveLength(1)
    await expect(writer.closed).rejects.toBeUndefined()
  })

  it("ends with the abort reason", async () => {
    const { response, write, writer } = openBody()
    const { client } = clientOf(() => response)
    const leaving = new AbortController()
    const stream = client.eventFeed.stream("acme", { signal: leaving.signal })
    void write(scored(1))
    await stream.next()
    const next = stream.next()
    const reason = new Error("enough")
    leaving.abort(reason)
    // Behaves like the response body of `fetch` after its signal aborts.
    void writer.abort(reason)
    await expect(next).rejects.toBe(reason)
  })

  it("reports a rejected request and a broken connection as errors", async () => {
    const { response, write, writer } = openBody()
    const { client } = clientOf(
      () => failure(404, "NOT_FOUND"),
      () => response
    )
    await expect(client.eventFeed.stream("nobody").next()).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 })
    const stream = client.eventFeed.stream("acme")
    void write(scored(1))
    await stream.next()
    void writer.abort(new Error("gone"))
    await expect(stream.next()).rejects.toMatchObject({ code: "NETWORK_ERROR" })
  })

  it("parses a long event in one-byte chunks and rejects an endless event", async () => {
    const data = "x".repeat(200_000)
    const long = clientOf(() => responseOf(new TextEncoder().encode(`id: 9\ndata: ${data}\n\n`), 1))
    expect((await long.client.eventFeed.stream("acme").next()).value).toEqual({ id: "9", type: "message", data })
    const endless = clientOf(() => responseOf(new Uint8Array(17 * 1_048_576).fill(120), 1_048_576))
    await expect(endless.client.eventFeed.stream("acme").next()).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining("The event exceeds") })
    })
  })

  it("reports each position, also without an event", async () => {
    const text = "retry: 2000\n\n: nothing new\nid: 6\n\n" + scored(7) + ": nothing new\nid: 12\n\n"
    const { client } = clientOf(() => responseOf(new TextEncoder().encode(text), 5))
    const positions: Array<string> = []
    const events: Array<ServerEvent> = []
    for await (const event of client.eventFeed.stream("acme", { onPosition: (id) => positions.push(id) })) {
      events.push(event)
    }
    expect(positions).toEqual(["6", "7", "12"])
    expect(events.map(({ id }) => id)).toEqual(["7"])
  })
})
