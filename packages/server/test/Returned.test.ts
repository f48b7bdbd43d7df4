import { Effect } from "effect"
import * as MimeParser from "@leadloom/connectors/mime/MimeParser"
import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { Contacts } from "@leadloom/core/port/Contacts"
import { ingestEmail } from "@leadloom/core/email/IngestEmail"
import { around, openTenant, rawMail } from "@leadloom/testkit/workflow/World"
import { assert, describe, it } from "@effect/vitest"

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

/** What stands against writing to Jo after our mail to Jo and then this report have come in. */
const after = (raw: Uint8Array) =>
  Effect.gen(function* () {
    const tenant = yield* openTenant()
    const first = yield* ingestEmail({ tenant, raw: own, source: "smtp", historical: false })
    const second = yield* ingestEmail({ tenant, raw, source: "smtp", historical: false })
    assert.strictEqual(second.threadId, first.threadId)
    assert.deepStrictEqual([second.leadId, second.signalId], [null, null])
    return yield* (yield* Contacts).undeliverable("acme", "jo@customer.example")
  }).pipe(Effect.provide([MimeParser.layer]), Effect.provide([memory, around]))

describe("a mail of ours that comes back", () => {
  it.effect("closes the address when it failed for good", () =>
    Effect.map(after(report("delivery-status", bounced("jo@customer.example", "5.1.1"), "ours@acme.com")), (reason) =>
      assert.include(reason, "5.1.1")
    )
  )

  it.effect("leaves the address open when it is only late", () =>
    Effect.map(after(report("delivery-status", bounced("jo@customer.example", "4.2.2"), "ours@acme.com")), (reason) =>
      assert.isNull(reason)
    )
  )

  it.effect("closes the address of somebody who complained", () =>
    Effect.map(after(report("feedback-report", complained("jo@customer.example"), "ours@acme.com")), (reason) =>
      assert.include(reason, "abuse")
    )
  )

  it.effect("closes no address that the mail did not go to", () =>
    Effect.gen(function* () {
      const forged = report("delivery-status", bounced("max@customer.example", "5.1.1"), "ours@acme.com")
      assert.isNull(yield* after(forged))
      const tenant = yield* openTenant("other")
      yield* ingestEmail({ tenant, raw: forged, source: "smtp", historical: false })
      assert.isNull(yield* (yield* Contacts).undeliverable("other", "max@customer.example"))
    }).pipe(Effect.provide([MimeParser.layer]), Effect.provide([memory, around]))
  )
})
