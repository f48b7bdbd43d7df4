import { afterEach, describe, expect, it, vi } from "vitest"
import { createClient } from "../src/index.ts"
import { answer, failure, stubFetch } from "./StubFetch.ts"

const baseUrl = "https://leads.example.com/crm"
const file = (...parts: ReadonlyArray<string>) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      }
    }),
    { headers: { "content-type": "application/x-tar", "content-length": "7" } }
  )
const clientOf = (...answers: ReadonlyArray<() => Response>) => {
  const { fetch, sent } = stubFetch(answers)
  return { sent, client: createClient({ baseUrl, credential: "llk_key", fetch, timeoutMs: 1_000, maxRetries: 1 }) }
}
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

afterEach(() => {
  vi.useRealTimers()
})

describe("a download", () => {
  it("can be read part by part, as a stream or as a whole", async () => {
    const { client, sent } = clientOf(() => file("abc", "defg"))
    const download = await client.dataRights.exportTenant("acme")
    expect(download).toMatchObject({ contentType: "application/x-tar", size: 7 })
    const parts: Array<string> = []
    for await (const part of download) parts.push(textOf(part))
    expect(parts).toEqual(["abc", "defg"])
    expect(textOf(await (await client.dataRights.exportContact("acme", "con_1")).bytes())).toBe("abcdefg")
    expect(await new Response((await client.messages.raw("acme", "msg_1")).stream()).text()).toBe("abcdefg")
    expect(sent.map(({ headers, url }) => [headers["accept"], url.pathname])).toEqual([
      ["*/*", "/crm/api/v1/tenants/acme/export"],
      ["*/*", "/crm/api/v1/tenants/acme/contacts/con_1/export"],
      ["*/*", "/crm/api/v1/tenants/acme/messages/msg_1/raw"]
    ])
  })

  it("arrives while the caller reads it, and is cancelled when the caller stops", async () => {
    const cancelled: Array<unknown> = []
    let pulled = 0
    const endless = () =>
      new Response(
        new ReadableStream<Uint8Array>(
          {
            pull: (controller) => controller.enqueue(Uint8Array.of(++pulled)),
            cancel: (why) => void cancelled.push(why)
          },
          { highWaterMark: 0 }
        )
      )
    const { client } = clientOf(endless, endless)
    for await (const [first] of await client.dataRights.exportTenant("acme")) if (first === 3) break
    expect([pulled, cancelled.length]).toEqual([3, 1])
    await (await client.dataRights.exportTenant("acme")).stream().cancel()
    expect(cancelled).toHaveLength(2)
  })

  it("retries a rejected request, and reports an error as an error", async () => {
    const { client, sent } = clientOf(
      () => failure(503, "SERVICE_UNAVAILABLE", { "retry-after": "0" }) as Response,
      () => failure(404, "NOT_FOUND") as Response
    )
    await expect(client.calls.recording("acme", "con_1")).rejects.toMatchObject({ code: "NOT_FOUND" })
    expect(sent).toHaveLength(2)
  })

  it("fails when no part arrives within the timeout, not when the whole takes longer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const { client } = clientOf(() => new Response(readable))
    const chunks = (await client.dataRights.exportTenant("acme"))[Symbol.asyncIterator]()
    for (const value of [1, 2, 3]) {
      const next = chunks.next()
      await vi.advanceTimersByTimeAsync(900)
      void writer.write(Uint8Array.of(value))
      expect((await next).value).toEqual(Uint8Array.of(value))
    }
    const late = chunks.next().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await late).toMatchObject({ code: "TIMEOUT" })
    await expect(writer.closed).rejects.toBeUndefined()
  })

  it("reports a broken connection, and the caller's abort reason", async () => {
    const failing = (error: Error) => () =>
      new Response(new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(error) }))
    const { client } = clientOf(failing(new TypeError("terminated")))
    const broken = await client.dataRights.exportTenant("acme")
    await expect(broken.bytes()).rejects.toMatchObject({ code: "NETWORK_ERROR" })
    const stop = new AbortController()
    const stopped = await client.dataRights.exportTenant("acme", { signal: stop.signal })
    stop.abort(new Error("enough"))
    await expect(stopped.bytes()).rejects.toThrow("enough")
  })
})

describe("an attachment", () => {
  it("is downloaded by its URL below the base URL, without the credential", async () => {
    const { client, sent } = clientOf(() => file("pdf"))
    const download = await client.download("/api/v1/public/attachments/tok.en~1")
    expect(textOf(await download.bytes())).toBe("pdf")
    expect(sent[0]?.url.href).toBe("https://leads.example.com/crm/api/v1/public/attachments/tok.en~1")
    expect(sent[0]?.headers["authorization"]).toBeUndefined()
  })

  it.each(["https://elsewhere.example/a", "@elsewhere.example/a", "", ".elsewhere.example/a"])("rejects %j", (url) => {
    const { client, sent } = clientOf(() => file("pdf"))
    expect(() => client.download(url)).toThrow(TypeError)
    expect(sent).toHaveLength(0)
  })

  it("reports an expired URL", async () => {
    const { client } = clientOf(() => answer(404, { error: { code: "NOT_FOUND", message: "gone" } }) as Response)
    await expect(client.download("/api/v1/public/attachments/old")).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})
