import type { Worker } from "node:worker_threads"
import { mimeSource } from "@leadloom/core/domain/email/MailSource"
import { unparsedBody } from "@leadloom/core/domain/conversation/UnparsedMail"
import { MailParser } from "@leadloom/core/port/provider/MailParser"
import { Cause, Effect, Exit, type Layer } from "effect"
import { describe, expect, it } from "vitest"
import { defaultLimits } from "../../src/parse/Threads.ts"
import { layer, layerInProcess, layerOf } from "../../src/parse/PooledParser.ts"

const mail = (subject: string, body = "Hi", type = "text/plain"): Uint8Array =>
  Buffer.from(
    [
      "From: Jo Doe <jo@shop.example>",
      "To: sales@acme.com",
      `Subject: ${subject}`,
      "Message-ID: <1@shop.example>",
      "In-Reply-To: <0@acme.com>",
      "Date: Mon, 6 Jan 2020 10:00:00 +0000",
      `Content-Type: ${type}`,
      "",
      body
    ].join("\r\n")
  )

const parse = (raw: Uint8Array, lane = "one", mediaType = mimeSource) =>
  Effect.flatMap(MailParser, (parser) => parser.parse(raw, { lane, mediaType }))

const run = <A, E>(program: Effect.Effect<A, E, MailParser>, parser: Layer.Layer<MailParser>) =>
  Effect.runPromise(Effect.provide(program, parser))

const hostile = new URL("./HostileWorker.ts", import.meta.url)
// Long enough for a small mail on a busy machine.
const small = { ...defaultLimits, deadlineMillis: 4_000, memory: { oldSpace: 24, youngSpace: 8 } }
const hostileParser = layerOf(small, hostile)

describe("the parse threads", () => {
  it("parse as the caller's own thread does, quotes split off", async () => {
    const raw = mail("Roof", "New text\r\n\r\nOn Mon, 6 Jan 2020 at 10:00, Ann <ann@acme.com> wrote:\r\n> Old text\r\n")
    const parsed = await run(parse(raw), layer)
    expect(parsed).toEqual(await run(parse(raw), layerInProcess))
    expect({ body: parsed.body, unparsed: parsed.unparsed }).toEqual({ body: "New text", unparsed: undefined })
    expect(parsed.quotedText).toContain("> Old text")
  })

  it("read attachments, and messages of a provider", async () => {
    const raw = Buffer.concat([
      Buffer.from('Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: image/png\r\n'),
      Buffer.from("Content-Transfer-Encoding: base64\r\n\r\naGFsbG8=\r\n--b--")
    ])
    const bytes = await run(
      Effect.flatMap(MailParser, (parser) => parser.attachment(raw, 0, { lane: "one" })),
      layer
    )
    expect(Buffer.from(bytes ?? []).toString()).toBe("hallo")
    const json = {
      data: { id: "1", from: [{ email: "jo@shop.example" }], subject: "Roof", body: "<p>Hi &amp; bye</p>" }
    }
    const parsed = await run(parse(Buffer.from(JSON.stringify(json)), "one", "application/json"), layer)
    expect({ text: parsed.text, from: parsed.from[0]?.email }).toEqual({ text: "Hi & bye", from: "jo@shop.example" })
  })

  it("render HTML as the caller's own thread does, and say when they cannot", async () => {
    const html = `<p onclick="steal()">Hi<script>steal()</script></p>${"<p>Roof &amp; wall</p>".repeat(5_000)}`
    const render = Effect.flatMap(MailParser, (parser) => parser.renderHtml(html, { lane: "one" }))
    const rendered = await run(render, layer)
    expect(rendered).toEqual(await run(render, layerInProcess))
    expect(rendered.html.startsWith("<p>Hi</p><p>Roof &amp; wall</p>")).toBe(true)
    expect(rendered.text.startsWith("Hi\n\nRoof & wall\n")).toBe(true)
    const missing = layerOf(small, new URL("./Nowhere.mjs", import.meta.url))
    expect(await run(Effect.flip(render), missing)).toMatchObject({ _tag: "ParserUnavailable" })
  })

  it("stop a mail that takes too long, while the mail of others goes through", async () => {
    const order: Array<string> = []
    const noted = (name: string, lane: string) =>
      Effect.tap(parse(mail(name), lane), () => Effect.sync(() => void order.push(name)))
    const stuck = [1, 2, 3].map(() => noted("loop", "attacker"))
    const others = Array.from({ length: 20 }, (_, n) => noted("fine", `tenant-${n}`))
    const [first, ...rest] = await run(Effect.all([...stuck, ...others], { concurrency: "unbounded" }), hostileParser)
    expect(first).toMatchObject({
      unparsed: "deadline",
      text: unparsedBody,
      subject: "loop",
      messageId: "<1@shop.example>"
    })
    expect(first?.from).toEqual([{ email: "jo@shop.example", name: "Jo Doe" }])
    expect(first?.inReplyTo).toBe("<0@acme.com>")
    expect(rest.slice(2).every(({ unparsed }) => unparsed === undefined)).toBe(true)
    expect(order.lastIndexOf("fine")).toBeLessThan(order.lastIndexOf("loop"))
  })

  it("say that a mail took too much memory, or broke the parser, and go on", async () => {
    const [full, broken, fine] = await run(
      Effect.all([parse(mail("memory")), parse(mail("crash")), parse(mail("fine"))]),
      layerOf({ ...small, deadlineMillis: 60_000 }, hostile)
    )
    expect([full.unparsed, broken.unparsed, fine.unparsed]).toEqual(["memory", "failed", undefined])
  })

  it("refuse what is too much to wait, and what nothing can parse", async () => {
    const crowded = layerOf({ ...small, waiting: 1 }, hostile)
    const all = Effect.all(
      Array.from({ length: 10 }, () => Effect.exit(parse(mail("loop")))),
      { concurrency: "unbounded" }
    )
    const refused = (await run(all, crowded)).filter(Exit.isFailure)
    expect(refused.length).toBeGreaterThan(0)
    for (const { cause } of refused) expect(Cause.pretty(cause)).toContain("ParserUnavailable")
    const missing = layerOf(small, new URL("./Nowhere.mjs", import.meta.url))
    const exit = await run(Effect.exit(parse(mail("fine"))), missing)
    expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("ParserUnavailable")
  })

  it("are gone when the layer is, whatever they are at", async () => {
    let ended = 0
    const watch = (thread: Worker): void => void thread.once("exit", () => ended++)
    process.once("worker", watch)
    const parser = layerOf({ ...small, deadlineMillis: 60_000 }, hostile)
    await Effect.runPromise(Effect.timeoutOption(Effect.provide(parse(mail("loop")), parser), 300))
    expect(ended).toBeGreaterThan(0)
  })
})

describe("mail that is hard to parse", () => {
  it.each([
    ["quotes around many lines", "text/html", "<blockquote>".repeat(190) + "<pre>" + "a\n".repeat(250_000)],
    ["no-break spaces", "text/html", `<p>${"\u00a0".repeat(400_000)}x`],
    ["plain quotes", "text/plain", `${">".repeat(190)} a\n`.repeat(4_000)]
  ])("is parsed to a bounded size: %s", async (_, type, body) => {
    const parsed = await run(parse(mail("Hard", body, `${type}; charset=utf-8`)), layer)
    expect(parsed.unparsed).toBeUndefined()
    expect(JSON.stringify(parsed).length).toBeLessThan(6 * 1_048_576)
  })

  it("keeps the addresses of a header with blanks, and names no sender of a header without an address", async () => {
    const blanks = " ".repeat(60_000)
    const raw = Buffer.from(`From: jo(a)${blanks}@${blanks}shop.example\r\nTo: <ann@acme.com>${blanks}\r\n\r\nHi`)
    expect((await run(parse(raw), layer)).to).toEqual([{ email: "ann@acme.com", name: null }])
  })
})
