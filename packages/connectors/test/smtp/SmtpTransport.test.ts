import type { Grant } from "@leadloom/core/internal/domain/email/Grant"
import type { OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { type SinkFate, type SmtpSink, startAsciiSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { clearedMail } from "@leadloom/testkit/outbound/Cleared"
import { grantRecord, sendRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Result } from "effect"
import { SMTPServer } from "smtp-server"
import { afterEach, describe, expect, it } from "vitest"
import { readRelay } from "../../src/smtp/Relay.ts"
import * as SmtpTransport from "../../src/smtp/SmtpTransport.ts"
import { probeRelay } from "../../src/smtp/ProbeRelay.ts"

const grant: Grant = grantRecord("acme", 1)
const { mail } = sendRecord("acme", 1)

let sink: SmtpSink | undefined
afterEach(async () => {
  await sink?.close()
  sink = undefined
})

const relayAt = (port: number) => readRelay(`smtp://127.0.0.1:${port}`) ?? expect.fail("no relay")

const timeouts = { connect: 2_000, idle: 300, total: 5_000 }

/** Sends a mail to the sink. Returns the tag of the outcome. */
const sendTo = async (port: number, changes: Partial<OutgoingMail> = {}) => {
  const changed = { ...mail, ...changes }
  const cleared = clearedMail(grant.tenantId, changed)
  const send = Effect.flatMap(EmailTransport, (transport) => transport.send({ grant, mail: changed }, cleared))
  const result = await Effect.runPromise(
    Effect.result(send).pipe(Effect.provide(SmtpTransport.layer(relayAt(port), timeouts)))
  )
  return Result.isSuccess(result)
    ? { tag: "sent", ...result.success }
    : { tag: result.failure.reason._tag, reason: result.failure.message }
}

const sendWith = async (fate: SinkFate) => {
  sink = await startSink(fate)
  return sendTo(sink.port)
}

describe("a mail handed to a relay", () => {
  it.each<readonly [tag: string, fate: SinkFate]>([
    ["sent", "take"],
    ["Refused", 550],
    ["Refused", { rcpt: 550 }],
    ["Unavailable", 451],
    ["Unavailable", { rcpt: 450 }],
    ["OutcomeUnknown", "cut"],
    ["OutcomeUnknown", "silent"]
  ])("is %s when the relay behaves like %j", async (tag, fate) => {
    expect(await sendWith(fate)).toMatchObject({ tag })
  })

  it("is certainly unsent when the connection breaks before the end of the mail", async () => {
    sink = await startSink("cut early")
    const text = `${"a long line of text that goes on and on\n".repeat(400_000)}`
    expect(await sendTo(sink.port, { text })).toMatchObject({ tag: "Unavailable" })
    expect(sink.mails.filter(({ accepted }) => accepted)).toEqual([])
  })

  it("is unavailable when the server is down", async () => {
    const gone = await startSink()
    await gone.close()
    expect(await sendTo(gone.port)).toMatchObject({ tag: "Unavailable" })
  })

  it("keeps the text of the relay's reply", async () => {
    expect(await sendWith(550)).toMatchObject({ reason: expect.stringContaining("550 said the sink") })
  })

  it("is written once, with our Message-ID, thread and mark, and with Bcc only in the envelope", async () => {
    sink = await startSink()
    const sent = await sendTo(sink.port, {
      cc: [{ email: "cc@customer.example", name: null }],
      bcc: [{ email: "secret@customer.example", name: "Secret" }],
      subject: "Grüße über alles",
      html: "<p>Hello</p>",
      inReplyTo: "first@customer.example",
      references: ["root@customer.example", "first@customer.example"],
      automatic: true
    })
    expect(sent).toMatchObject({ tag: "sent", left: true, refused: [] })
    const [sunk, ...more] = sink.mails
    expect(more).toEqual([])
    expect(sunk?.to).toEqual(["jo@customer.example", "cc@customer.example", "secret@customer.example"])
    const raw = sunk?.raw ?? ""
    for (const line of [
      "Message-ID: <1@mueller.example>",
      "In-Reply-To: <first@customer.example>",
      "References: <root@customer.example> <first@customer.example>",
      "Auto-Submitted: auto-replied",
      "Date: Mon, 09 Mar 2026 12:30:00 +0000",
      "Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe_=C3=BCber_alles?="
    ]) {
      expect(raw).toContain(line)
    }
    expect(raw).toMatch(/^Content-Type: multipart\/alternative;/mu)
    expect(raw).toMatch(/^Content-Type: text\/plain;/mu)
    expect(raw).not.toContain("secret@")
  })

  it.each([
    [true, "sent"],
    [false, "Refused"]
  ])("to a local part outside ASCII, with SMTPUTF8 support: %s, is %s", async (utf8, tag) => {
    sink = await (utf8 ? startSink() : startAsciiSink())
    const outcome = await sendTo(sink.port, { to: [{ email: "jürgen@customer.example", name: null }] })
    expect(outcome).toMatchObject({ tag })
    if (!utf8) expect(outcome).toMatchObject({ reason: expect.stringContaining("SMTPUTF8): jürgen@customer.example") })
    expect(sink.mails).toHaveLength(utf8 ? 1 : 0)
  })

  it("is marked as generated if it answers nobody", async () => {
    sink = await startSink()
    await sendTo(sink.port, { automatic: true, autoSubmitted: "auto-generated" })
    const raw = sink.mails[0]?.raw ?? ""
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r?$/mu)
    expect(raw).toMatch(/^X-Auto-Response-Suppress: All\r?$/mu)
  })

  it("permits no header injection by name, subject or text", async () => {
    sink = await startSink()
    await sendTo(sink.port, {
      from: { email: "sales@mueller.example", name: 'Eve" <eve@evil.example>\r\nX-From: yes' },
      to: [{ email: "jo@customer.example", name: "Jo\nX-To: yes" }],
      subject: "Hello\r\nX-Subject: yes\r\n\r\nbody"
    })
    const raw = sink.mails[0]?.raw ?? ""
    const head = raw.slice(0, raw.indexOf("\r\n\r\n"))
    expect(head).not.toMatch(/^X-(?:From|To|Subject):/mu)
    expect(head).toMatch(/^Message-ID: <1@mueller\.example>\r?$/mu)
    expect(sink.mails[0]?.from).toBe("sales@mueller.example")
    expect(sink.mails[0]?.to).toEqual(["jo@customer.example"])
  })

  it("reads no files and no network resources, whatever its HTML contains", async () => {
    sink = await startSink()
    await sendTo(sink.port, { html: '<img src="file:///etc/passwd"><img src="http://127.0.0.1:1/x">' })
    expect(sink.mails[0]?.raw).not.toContain("root:")
    expect(sink.mails).toHaveLength(1)
  })
})

describe("a relay that repeats rejected input", () => {
  it("is quoted without the password, in any encoding", async () => {
    const relay = readRelay("smtp://me:pass%20word-of-mine@127.0.0.1:1") ?? expect.fail("no relay")
    const shown = ["pass word-of-mine", Buffer.from("pass word-of-mine").toString("base64")]
    const plain = Buffer.from("\0me\0pass word-of-mine").toString("base64")
    const repeating = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onAuth: (_, __, done) => done(new Error([plain, ...shown].join(" and ")))
    })
    await new Promise<void>((resolve) => repeating.listen(0, "127.0.0.1", () => resolve()))
    const address = repeating.server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const cleared = clearedMail(grant.tenantId, mail)
    const send = Effect.flatMap(EmailTransport, (transport) => transport.send({ grant, mail }, cleared))
    const failure = await Effect.runPromise(
      Effect.flip(send).pipe(Effect.provide(SmtpTransport.layer({ ...relay, port }, timeouts)))
    )
    const said = [failure.message, await probeRelay({ ...relay, port })]
    await new Promise<void>((resolve) => repeating.close(() => resolve()))
    for (const reason of said) expect(reason).toContain("[secret] and [secret] and [secret]")
  })
})

describe("the URL of a relay", () => {
  it.each([
    ["smtp://mail.acme.com", { host: "mail.acme.com", port: 587, secure: false, requireTls: false, login: null }],
    ["smtps://a%40b:p%3Aw@mail.acme.com", { port: 465, secure: true, login: { user: "a@b", pass: "p:w" } }],
    [
      "smtp://[::1]:2525?tls=required&name=mx.acme.com",
      { host: "::1", port: 2525, requireTls: true, name: "mx.acme.com" }
    ]
  ])("%s is read", (url, relay) => {
    expect(readRelay(url)).toMatchObject(relay)
  })

  it.each([
    "",
    "mail.acme.com",
    "http://mail.acme.com",
    "smtp://",
    "smtp://h?tls=maybe",
    "smtp://h?pool=true",
    "smtp://%zz@h"
  ])("%j is rejected", (url) => {
    expect(readRelay(url)).toBeNull()
  })
})
