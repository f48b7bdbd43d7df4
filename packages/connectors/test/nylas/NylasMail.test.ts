import { classifyAuto } from "@leadloom/core/internal/domain/email/AutoMail"
import type { HostedMessage } from "@leadloom/core/internal/domain/email/HostedMail"
import type { NylasStandIn } from "@leadloom/testkit/nylas/NylasStandIn"
import type { StandInFault } from "@leadloom/testkit/nylas/StandInFaults"
import type { StandInDelivery, StandInGrant } from "@leadloom/testkit/nylas/StandInMailbox"
import { Redacted, Result } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { requesting, configOf, sending, startNylas } from "./NylasWorld.ts"

let nylas: NylasStandIn
let account: StandInGrant
beforeEach(async () => {
  nylas = await startNylas()
  account = nylas.connected("sales@mueller.example")
})
afterEach(() => nylas.close())

const call = <A, E extends { readonly _tag: string }>(use: Parameters<typeof requesting<A, E>>[1]) =>
  requesting(configOf(nylas), use)

const jo = { email: "Jo@Customer.example", name: "Jo" }

const read = async (mail: Partial<StandInDelivery>): Promise<HostedMessage> => {
  const { id } = nylas.deliver(account, { from: jo, ...mail })
  const result = await call((hosted) => hosted.message(account.id, id))
  return Result.isSuccess(result) ? result.success : expect.fail(result.failure._tag)
}

describe("signing in", () => {
  it("passes through the provider and yields an account", async () => {
    const url = await call((hosted) =>
      hosted.signInUrl({ provider: "microsoft", state: "a state/ü", email: "Owner@mueller.example" })
    )
    const response = await fetch(Result.getOrThrow(url), { redirect: "manual" })
    const back = new URL(response.headers.get("location") ?? expect.fail("no way back"))
    expect(back.searchParams.get("state")).toBe("a state/ü")
    const code = back.searchParams.get("code") ?? ""
    expect(Result.getOrThrow(await call((hosted) => hosted.exchange(code)))).toEqual({
      providerGrantId: nylas.grant("owner@mueller.example")?.id,
      provider: "microsoft",
      email: "owner@mueller.example",
      valid: true
    })
  })

  it("names the application, requests no tokens, and lets the owner choose an account", async () => {
    const url = new URL(
      Result.getOrThrow(await call((hosted) => hosted.signInUrl({ provider: null, state: "s", email: null })))
    )
    expect(`${url.origin}${url.pathname}`).toBe(`${nylas.url}/v3/connect/auth`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: nylas.clientId,
      redirect_uri: nylas.redirectUri,
      response_type: "code",
      access_type: "online",
      state: "s"
    })
  })

  it("keeps the account when it is repeated", async () => {
    const again = await call((hosted) => hosted.exchange(nylas.signIn("sales@mueller.example")))
    expect(Result.getOrThrow(again).providerGrantId).toBe(account.id)
  })

  it("accepts a code once, and passes on the provider's error", async () => {
    const code = nylas.signIn("owner@mueller.example")
    await call((hosted) => hosted.exchange(code))
    const second = await call((hosted) => hosted.exchange(code))
    const detail = expect.stringContaining("the code is unknown or was used")
    expect(second).toMatchObject({ failure: { reason: { _tag: "Refused", detail } } })
    expect(nylas.requests.every(({ headers }) => headers["authorization"] === undefined)).toBe(true)
  })

  it("fetches the fields that the response omits", async () => {
    nylas.fault({ mood: 200, json: { grant_id: account.id, access_token: "t" } })
    expect(Result.getOrThrow(await call((hosted) => hosted.exchange("code")))).toMatchObject({
      providerGrantId: account.id,
      email: "sales@mueller.example"
    })
  })

  it.each([
    [{ grant_id: "g", email: "a@b.example", provider: "icloud" }, "icloud"],
    [{ email: "a@b.example", provider: "google" }, "returned no account"]
  ])("is rejected with the response %j", async (json, reason) => {
    nylas.fault({ mood: 200, json })
    const result = await call((hosted) => hosted.exchange("code"))
    expect(result).toMatchObject({ failure: { reason: { _tag: "Refused", detail: expect.stringContaining(reason) } } })
  })

  it("sends the key to no other host, whatever the response contains", async () => {
    nylas.fault({ mood: 307, location: `${nylas.url}/v3/elsewhere` })
    expect(await call((hosted) => hosted.exchange("code"))).toMatchObject({ failure: { reason: { _tag: "Refused" } } })
    expect(nylas.requests).toHaveLength(1)
  })

  it("reports a possibly wrong key without revealing it", async () => {
    const apiKey = Redacted.make("a-key-of-somebody-else")
    const result = await requesting(configOf(nylas, { apiKey }), (hosted) => hosted.exchange("code"))
    const detail = expect.stringContaining("API key")
    expect(result).toMatchObject({ failure: { reason: { _tag: "SignedOut", detail } } })
    expect(JSON.stringify(result)).not.toContain("a-key-of-somebody-else")
  })
})

describe("an account", () => {
  it.each([true, false])("has its status: valid %j", async (valid) => {
    account.valid = valid
    expect(Result.getOrThrow(await call((hosted) => hosted.account(account.id)))).toEqual({
      providerGrantId: account.id,
      provider: "google",
      email: "sales@mueller.example",
      valid
    })
  })

  it("is deleted permanently; a second deletion has no effect", async () => {
    expect(await call((hosted) => hosted.revoke(account.id))).toMatchObject({ _tag: "Success" })
    expect(nylas.grant("sales@mueller.example")).toBeUndefined()
    expect(await call((hosted) => hosted.revoke(account.id))).toMatchObject({ _tag: "Success" })
    expect(await call((hosted) => hosted.account(account.id))).toMatchObject({ failure: { reason: { _tag: "Gone" } } })
  })

  it.each(["..", ".", "", "a/../../applications", "\uD800"])("with the id %j causes no other request", async (id) => {
    expect(await call((hosted) => hosted.revoke(id))).toMatchObject({ _tag: "Success" })
    expect(await call((hosted) => hosted.account(id))).toMatchObject({ failure: { reason: { _tag: "Gone" } } })
    expect(nylas.requests.every(({ path }) => /^\/v3\/grants\/[^/]+$/u.test(path))).toBe(true)
  })
})

describe("a failure", () => {
  it.each<readonly [tag: string, requests: number, fault: StandInFault]>([
    ["SignedOut", 1, { mood: 401 }],
    ["SignedOut", 1, { mood: 403 }],
    ["Gone", 1, { mood: 404 }],
    ["Refused", 1, { mood: 400, message: "no such field" }],
    ["Refused", 1, { mood: 409 }],
    ["Refused", 1, { mood: 302 }],
    ["Unavailable", 2, { mood: 408, times: 2 }],
    ["Unavailable", 2, { mood: 429, times: 2, retryAfter: "0" }],
    ["Unavailable", 1, { mood: 429, retryAfter: "60" }],
    ["Unavailable", 2, { mood: 503, times: 2 }],
    ["Unavailable", 2, { mood: "drop", times: 2 }]
  ])("is %s after %i requests of %j", async (tag, requests, fault) => {
    nylas.fault(fault)
    const result = await call((hosted) => hosted.account(account.id))
    expect(result).toMatchObject({ failure: { reason: { _tag: tag } } })
    if (fault.message !== undefined) {
      expect(result).toMatchObject({ failure: { reason: { detail: expect.stringContaining(fault.message) } } })
    }
    expect(nylas.requests).toHaveLength(requests)
  })

  it.each<StandInFault>([{ mood: 502 }, { mood: "drop" }, { mood: 429, retryAfter: "0" }])(
    "is retried after a read when it is temporary: %j",
    async (fault) => {
      nylas.fault(fault)
      expect(await call((hosted) => hosted.account(account.id))).toMatchObject({ _tag: "Success" })
      expect(nylas.requests).toHaveLength(2)
    }
  )

  it("is not retried after a write", async () => {
    const away = { failure: { reason: { _tag: "Unavailable" } } }
    nylas.fault({ mood: 503 })
    expect(await call((hosted) => hosted.revoke(account.id))).toMatchObject(away)
    nylas.fault({ mood: 503 })
    expect(await call((hosted) => hosted.exchange("code"))).toMatchObject(away)
    expect(nylas.requests).toHaveLength(2)
  })

  it("never contains the key, even if the provider echoes it", async () => {
    nylas.fault({ mood: 400, message: `bad key ${nylas.apiKey} ${"x".repeat(5_000)}` })
    const result = await call((hosted) => hosted.account(account.id))
    expect(result).toMatchObject({ failure: { reason: { detail: expect.stringContaining("[secret]") } } })
    expect(JSON.stringify(result)).not.toContain(nylas.apiKey)
    expect(JSON.stringify(result).length).toBeLessThan(700)
    const type = "invalid_request_error"
    nylas.fault({ mood: 400, message: `${"x".repeat(390 - type.length)}${nylas.apiKey}` })
    expect(JSON.stringify(await call((hosted) => hosted.account(account.id)))).not.toContain(nylas.apiKey.slice(0, 6))
  })
})

describe("a mail", () => {
  it("is read with its headers, participants and thread", async () => {
    const first = await read({ messageId: "root@customer.example", subject: "=?utf-8?q?Gr=C3=BC=C3=9Fe?=" })
    const second = await read({
      from: { email: "jo@customer.example", name: "=?utf-8?q?J=C3=B6?=" },
      to: [{ email: "sales@mueller.example" }, { email: "two@mueller.example", name: "Two" }],
      cc: [{ email: "cc@customer.example" }],
      replyTo: [{ email: "office@customer.example" }],
      inReplyTo: "root@customer.example",
      body: "<p>Hello <b>you</b></p>",
      date: Date.UTC(2026, 2, 9, 12, 30)
    })
    expect(first.mail.subject).toBe("Grüße")
    expect(second.providerThreadId).toBe(first.providerThreadId)
    expect(second).toMatchObject({
      sourceType: "application/json",
      aside: false,
      receivedAt: Date.UTC(2026, 2, 9, 12, 30)
    })
    expect(second.mail).toMatchObject({
      inReplyTo: "<root@customer.example>",
      references: "<root@customer.example>",
      from: [{ email: "jo@customer.example", name: "Jö" }],
      replyTo: [{ email: "office@customer.example", name: null }],
      cc: [{ email: "cc@customer.example", name: null }],
      date: Date.UTC(2026, 2, 9, 12, 30),
      text: "Hello you",
      html: "<p>Hello <b>you</b></p>",
      defects: []
    })
    expect(second.mail.to.map(({ email }) => email)).toEqual(["sales@mueller.example", "two@mueller.example"])
    expect(second.mail.messageId).toMatch(/^<made\.by\.the\.provider.*@mail\.gmail\.example>$/u)
    expect(JSON.parse(new TextDecoder().decode(second.source))).toMatchObject({
      data: { id: second.providerMessageId }
    })
    expect(nylas.requests.at(-1)?.query.toString()).toBe("fields=include_headers")
    expect(nylas.requests.at(-1)?.path).toMatch(/messages\/m%2F\w+$/u)
  })

  it("is sanitised: without scripts, hidden text and remote images", async () => {
    const { mail } = await read({
      body: '<script>steal()</script><div>Hi</div><div style="display:none">hidden</div><img src="https://x.example/p.gif">'
    })
    expect(mail.text).toBe("Hi")
    expect(mail.html).not.toMatch(/script|steal|hidden|\ssrc=/u)
  })

  it.each([
    ["Hello <jo@x.example>,\r\nsee <https://x.example/a>", "text/plain; charset=utf-8"],
    ["1 < 2 & 3 > 2", "multipart/mixed; boundary=x"]
  ])("stays unchanged when it is plain text: %j", async (body, type) => {
    const { mail } = await read({ body, headers: [{ name: "Content-Type", value: type }] })
    expect(mail).toMatchObject({ html: null, text: body.replace("\r", "") })
  })

  it("is HTML if only its entities suggest it, unless it is known to be text", async () => {
    const body = "Gr&uuml;&szlig;e"
    expect((await read({ body })).mail.text).toBe("Grüße")
    const plain = [{ name: "Content-Type", value: "text/plain" }]
    expect((await read({ body, headers: plain })).mail.text).toBe(body)
  })

  it("prefers values in the headers to those in the JSON", async () => {
    const office = { email: "office@customer.example" }
    const { mail } = await read({
      replyTo: [office],
      subject: "Hi",
      json: { reply_to: [jo], from: [office], to: [], subject: "other" }
    })
    expect(mail).toMatchObject({ replyTo: [office], from: [jo], subject: "Hi" })
  })

  it("lists its attachments, which can be fetched", async () => {
    const pdf = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 255])
    const hosted = await read({
      attachments: [
        { filename: "../../Angebot.pdf", contentType: "Application/PDF; name=x", content: pdf },
        { filename: "logo.png", contentType: "image/png", content: "png", contentId: "<logo@x>", inline: true },
        { filename: "", contentType: "text/calendar; method=request", content: "BEGIN:VCALENDAR" }
      ]
    })
    expect(hosted.mail.attachments).toEqual([
      { filename: "Angebot.pdf", contentType: "application/pdf", size: 6, contentId: null, inline: false },
      { filename: "logo.png", contentType: "image/png", size: 3, contentId: "logo@x", inline: true },
      { filename: null, contentType: "text/calendar", size: 15, contentId: null, inline: false, method: "REQUEST" }
    ])
    expect(hosted.attachments.map(({ index }) => index)).toEqual([0, 1, 2])
    const { attachmentId } = hosted.attachments[0] ?? expect.fail("nothing attached")
    const bytes = await call((each) => each.attachment(account.id, hosted.providerMessageId, attachmentId))
    expect(Result.getOrThrow(bytes)).toEqual(pdf)
    expect(nylas.requests.at(-1)?.query.get("message_id")).toBe(hosted.providerMessageId)
    const gone = await call((each) => each.attachment(account.id, hosted.providerMessageId, "gone"))
    expect(gone).toMatchObject({ failure: { reason: { _tag: "Gone", what: expect.stringContaining("gone") } } })
  })

  it("fails when an attachment exceeds the size limit", async () => {
    const hosted = await read({
      attachments: [{ filename: "big", contentType: "a/b", content: new Uint8Array(26 * 1_048_576 + 1) }]
    })
    const { attachmentId } = hosted.attachments[0] ?? expect.fail("nothing attached")
    const result = await call((each) => each.attachment(account.id, hosted.providerMessageId, attachmentId))
    const detail = expect.stringContaining("26 MiB")
    expect(result).toMatchObject({ failure: { reason: { _tag: "Refused", detail } } })
  })

  it("is read from its JSON where headers are missing", async () => {
    const { mail } = await read({
      cc: [{ email: "cc@customer.example" }],
      replyTo: [{ email: "office@customer.example" }],
      subject: "Hi",
      headers: ["From", "To", "Cc", "Reply-To", "Subject", "Date", "Message-ID"].map((name) => ({ name, value: "" })),
      date: 1_773_059_400_000,
      json: { in_reply_to: "<q@mueller.example>" }
    })
    expect(mail).toMatchObject({
      messageId: null,
      inReplyTo: "<q@mueller.example>",
      from: [{ email: "Jo@Customer.example", name: "Jo" }],
      to: [{ email: "sales@mueller.example", name: null }],
      cc: [{ email: "cc@customer.example", name: null }],
      replyTo: [{ email: "office@customer.example", name: null }],
      subject: "Hi",
      date: 1_773_059_400_000
    })
  })

  const names =
    "id object thread_id from to cc bcc reply_to subject body snippet date folders attachments headers".split(" ")

  it.each([undefined, null, 7, "x", [7, null, {}], { a: 1 }])("is read even if every field is %j", async (value) => {
    const { id } = nylas.deliver(account, { from: jo })
    const message = account.messages[0]
    account.messages[0] = {
      ...(message ?? expect.fail("nothing delivered")),
      headers: [],
      json: Object.fromEntries(names.map((name) => [name, value]))
    }
    const result = Result.getOrThrow(await call((hosted) => hosted.message(account.id, id)))
    expect(result.mail).toMatchObject({ from: [], to: [], messageId: null, report: null })
    expect(result.mail.defects).toContain("The provider returned no header fields.")
    expect(result.receivedAt).toBeGreaterThan(0)
    expect(result.aside).toBe(false)
    if (value !== "x") expect(result.providerMessageId).toBe(id)
  })

  it("is not read from a response of another server", async () => {
    nylas.deliver(account, { from: jo })
    account.messages[0] = { ...(account.messages[0] ?? expect.fail("nothing delivered")), id: "m", json: {} }
    nylas.fault({ mood: 200, times: 2 })
    const result = await call((hosted) => hosted.message(account.id, "m"))
    expect(result).toMatchObject({ failure: { reason: { _tag: "Unavailable" } } })
  })

  it.each([
    [["SPAM"], true],
    [["DRAFT"], true],
    [["Trash", "IMPORTANT"], true],
    [["junkemail"], true],
    [["deleteditems"], true],
    [["INBOX"], false],
    [["SENT"], false],
    [["Spam reports"], false]
  ])("in the folders %j is ignored: %j", async (folders, aside) => {
    expect((await read({ folders })).aside).toBe(aside)
  })

  it("is ignored when it is a draft, in any folder", async () => {
    expect((await read({ folders: ["Label_1"], json: { object: "draft" } })).aside).toBe(true)
  })

  it.each([
    ["auto_reply", { headers: [{ name: "Auto-Submitted", value: "auto-replied" }] }],
    [
      "bounce",
      {
        from: { email: "mailer-daemon@googlemail.example", name: "Mail Delivery Subsystem" },
        headers: [
          { name: "Content-Type", value: 'multipart/report; boundary="x";\r\n report-type=delivery-status' },
          { name: "Auto-Submitted", value: "auto-replied" }
        ]
      }
    ],
    ["list", { headers: [{ name: "List-Id", value: "<all.x.example>" }] }],
    [null, {}]
  ] as const)("is recognised as automatic by its headers: %j", async (auto, mail) => {
    expect(classifyAuto((await read(mail)).mail).auto).toBe(auto)
  })

  it("is recognised when it comes from this server", async () => {
    await sending(configOf(nylas), account, { internetMessageId: "own@mueller.example" })
    const { id } = account.messages[0] ?? expect.fail("nothing sent")
    const { mail } = Result.getOrThrow(await call((hosted) => hosted.message(account.id, id)))
    expect(mail.headers).toContainEqual({ name: "x-leadloom-message", value: "own@mueller.example" })
  })
})

describe("the list of received mails", () => {
  it("is read page by page, without earlier mails", async () => {
    const start = Date.UTC(2026, 2, 9, 12)
    nylas.deliver(account, { from: jo, date: start - 3_600_000 })
    for (let i = 0; i < 250; i++)
      nylas.deliver(account, { from: jo, date: start + i * 1_000, body: "x".repeat(10_000) })
    const first = Result.getOrThrow(await call((hosted) => hosted.listSince(account.id, start, null)))
    const second = Result.getOrThrow(await call((hosted) => hosted.listSince(account.id, start, first.next)))
    expect([first.messages.length, second.messages.length, second.next]).toEqual([200, 50, null])
    const times = [...first.messages, ...second.messages].map(({ receivedAt }) => receivedAt)
    expect(Math.min(...times)).toBe(start)
    expect(new Set([...first.messages, ...second.messages].map((each) => each.providerMessageId)).size).toBe(250)
    expect(Object.fromEntries(nylas.requests[1]?.query ?? [])).toEqual({
      received_after: String(start / 1_000 - 1),
      limit: "200",
      select: "id,date",
      page_token: first.next
    })
  })
})
