import { onMigratedFile } from "@leadloom/testkit/MigratedFile"
import { inMemoryEmailTransport } from "@leadloom/testkit/memory/EmailTransport"
import { Effect } from "effect"
import * as PooledParser from "@leadloom/connectors/internal/parse/PooledParser"
import * as Store from "@leadloom/store/internal/Store"
import { connectEmail } from "@leadloom/core/internal/workflow/mailbox/ConnectEmail"
import { sendEmail } from "@leadloom/core/internal/workflow/sending/SendEmail"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { TestClock } from "effect/testing"
import { ingestEmail } from "@leadloom/core/internal/workflow/intake/IngestEmail"
import { around } from "@leadloom/testkit/suite/Doubles"
import { rawMail, acme, inTenant } from "@leadloom/testkit/suite/Scene"
import { assert, describe, it } from "@effect/vitest"

const store = onMigratedFile((url) => Store.layer({ url }))

const text = (lines: ReadonlyArray<string>): Uint8Array => new TextEncoder().encode(lines.join("\r\n"))

const report = (kind: string, part: ReadonlyArray<string>, original: string): Uint8Array =>
  text([
    "From: Mail Delivery System <mailer-daemon@relay.example>",
    "To: ann@acme.com",
    "Subject: Undelivered Mail Returned to Sender",
    "Message-ID: <report@relay.example>",
    `Content-Type: multipart/report; report-type=${kind}; boundary=b`,
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "This is about your mail.",
    "--b",
    `Content-Type: message/${kind}`,
    "",
    ...part,
    "",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: <${original}>`,
    "Subject: About your roof",
    "",
    "--b--"
  ])

const bounced = (address: string, status: string) => [
  "Reporting-MTA: dns; relay.example",
  "",
  `Final-Recipient: rfc822; ${address}`,
  `Action: ${status.startsWith("4") ? "delayed" : "failed"}`,
  `Status: ${status}`
]

const complained = (address: string) => [
  "Feedback-Type: abuse",
  "User-Agent: Mailbox/1.0",
  "Version: 1",
  `Original-Rcpt-To: ${address}`
]

const own = rawMail({
  id: "ours@acme.com",
  from: "Ann <ann@acme.com>",
  to: "jo@customer.example",
  body: "About 9,000."
})

/** Returns the denial reasons for mail to Jo after a sent mail and then this report. */
const after = (raw: Uint8Array) =>
  Effect.gen(function* () {
    const tenant = yield* acme.open()
    const first = yield* ingestEmail({ tenant, raw: own, source: "smtp", historical: false })
    const second = yield* ingestEmail({ tenant, raw, source: "smtp", historical: false })
    assert.strictEqual(second.threadId, first.threadId)
    assert.deepStrictEqual([second.leadId, second.signalId], [null, null])
    return yield* (yield* Contacts).undeliverable("acme", "jo@customer.example")
  }).pipe(Effect.provide([PooledParser.layerInProcess]), Effect.provide([store, around]))

describe("a returned mail", () => {
  it.effect("closes the address after a permanent failure", () =>
    Effect.map(after(report("delivery-status", bounced("jo@customer.example", "5.1.1"), "ours@acme.com")), (reason) =>
      assert.include(reason, "5.1.1")
    )
  )

  it.effect("leaves the address open after a delay", () =>
    Effect.map(after(report("delivery-status", bounced("jo@customer.example", "4.2.2"), "ours@acme.com")), (reason) =>
      assert.isNull(reason)
    )
  )

  it.effect("closes the address after a complaint", () =>
    Effect.map(after(report("feedback-report", complained("jo@customer.example"), "ours@acme.com")), (reason) =>
      assert.include(reason, "abuse")
    )
  )

  it.each([
    ["4.4.1", "was abandoned after days", true],
    ["5.7.1", "was rejected by policy", true],
    ["5.1.1", "found no mailbox", false]
  ] as const)("that failed with %s (%s) is marked as bounced; the address stays open: %s", (status, _, open) =>
    Effect.gen(function* () {
      const tenant = yield* acme.open()
      yield* connectEmail("acme", { provider: "smtp", email: "ann@acme.com", name: null, providerGrantId: null })
      const to = [{ email: "jo@customer.example", name: null }]
      const request = { to, cc: [], bcc: [], subject: "Roof", body: "9,000.", from: null, replyToMessageId: null }
      const { messageId } = yield* sendEmail({ tenant, request, idempotencyKey: null })
      const message = Effect.flatMap(Messages, (messages) => messages.find("acme", messageId))
      const id = (yield* message)?.internetMessageId ?? ""
      const failed = [`Final-Recipient: rfc822; jo@customer.example`, "Action: failed", `Status: ${status}`]
      const raw = report("delivery-status", ["Reporting-MTA: dns; relay.example", "", ...failed], id)
      yield* ingestEmail({ tenant, raw, source: "smtp", historical: false })
      assert.strictEqual((yield* message)?.delivery, "bounced")
      const reason = yield* (yield* Contacts).undeliverable("acme", "jo@customer.example")
      assert.strictEqual(reason === null, open)
    }).pipe(
      Effect.provide([PooledParser.layerInProcess, inMemoryEmailTransport([])]),
      Effect.provide([store, around]),
      Effect.provide(TestClock.layer()),
      Effect.runPromise
    )
  )

  it.effect("closes only addresses to which the mail was sent", () =>
    Effect.gen(function* () {
      const forged = report("delivery-status", bounced("max@customer.example", "5.1.1"), "ours@acme.com")
      assert.isNull(yield* after(forged))
      const tenant = yield* inTenant("other").open()
      yield* ingestEmail({ tenant, raw: forged, source: "smtp", historical: false })
      assert.isNull(yield* (yield* Contacts).undeliverable("other", "max@customer.example"))
    }).pipe(Effect.provide([PooledParser.layerInProcess]), Effect.provide([store, around]))
  )
})
