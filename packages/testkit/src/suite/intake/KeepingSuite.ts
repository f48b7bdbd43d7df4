import { assert, describe } from "@effect/vitest"
import type { MessageId } from "@leadloom/core/internal/domain/Id"
import { ingestEmail, prepareEmail } from "@leadloom/core/internal/workflow/intake/IngestEmail"
import { type MailSource, maxAttachmentBytes, mimeSource } from "@leadloom/core/internal/domain/email/MailSource"
import type { MailAttachment } from "@leadloom/core/internal/domain/email/MailAttachment"
import { readAttachment, readSource } from "@leadloom/core/internal/workflow/intake/Sources"
import { MailParser } from "@leadloom/core/internal/port/provider/MailParser"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { Objects, ObjectsUnavailable } from "@leadloom/core/internal/port/system/Objects"
import { StoreUnavailable, Transactions } from "@leadloom/core/internal/port/system/Transactions"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Deferred, Effect } from "effect"
import { acme, rawMail, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** Returns the same mail with the header line of another relay, like a copy that arrived on another route. */
const travelled = (by: string): Uint8Array =>
  Buffer.concat([Buffer.from(`Received: from ${by} by here\r\n`), Buffer.from(rawMail({}))])

/** Delays writes of objects until `count` writes are waiting, so that no copy is recognised before all have started. */
const together = Effect.fnUntraced(function* (count: number) {
  const objects = yield* Objects
  const everybody = yield* Deferred.make<void>()
  let waiting = 0
  const put: typeof objects.put = (tenantId, key, bytes) =>
    Effect.gen(function* () {
      if (++waiting === count) yield* Deferred.succeed(everybody, undefined)
      yield* Deferred.await(everybody)
      yield* objects.put(tenantId, key, bytes)
    })
  return { ...objects, put }
})

const outage = new StoreUnavailable({ reason: "on fire" })

/** Ingests a mail that its provider has parsed. */
const receiveParsed = Effect.fnUntraced(function* (
  tenant: Tenant,
  attachments: ReadonlyArray<MailAttachment>,
  stored: MailSource
) {
  const options = { flow: tenant.tenantId, mediaType: mimeSource }
  const parsed = yield* (yield* MailParser).parse(rawMail({ id: "hosted@customer.example" }), options)
  const mail = { parsed: { ...parsed, attachments }, fingerprint: () => "hosted", stored }
  return yield* ingestEmail({ tenant, source: "google", historical: true, ...mail })
})

const attachment = (filename: string, size: number): MailAttachment => ({
  filename,
  contentType: "application/pdf",
  size,
  contentId: null,
  inline: false
})

const claim = (messageId: MessageId | null, index: number) => ({
  tenantId: "acme",
  messageId: messageId ?? assert.fail("nothing was stored"),
  index
})

/** Tests the stored sources of mail on a store. */
export const keepingSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`sources of mail on ${name}`, () => {
    scene("are stored as received, and can be read", ({ objects: held }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const { messageId } = yield* acme.receiveMail()
        const source = yield* readSource("acme", messageId ?? "")
        assert.deepStrictEqual([...source.bytes], [...rawMail({})])
        assert.strictEqual(source.mediaType, "message/rfc822")
        assert.strictEqual(held.size, 1)
        for (const nothing of ["msg_00000000000000000000000000", "nonsense"]) {
          assert.strictEqual((yield* Effect.flip(readSource("acme", nothing)))._tag, "RawNotFound")
        }
        assert.strictEqual((yield* Effect.flip(readSource("other", messageId ?? "")))._tag, "RawNotFound")
      })
    )
    scene("of copies are not stored, and the original stays, sequentially and concurrently", ({ objects: held }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const same = Array.from({ length: 100 }, () => rawMail({}))
        const others = Array.from({ length: 100 }, (_, index) => travelled(`station${index}.example`))
        const all = Effect.forEach([...same, ...others], (raw) => acme.receiveMail(raw), { concurrency: "unbounded" })
        const accepted = yield* Effect.provideService(all, Objects, yield* together(200))
        assert.strictEqual(accepted.filter(({ outcome }) => outcome === "message").length, 1)
        assert.strictEqual(held.size, 1)
        const before = yield* readSource("acme", accepted[0]?.messageId ?? "")
        yield* acme.receiveMail(travelled("late.example"))
        yield* acme.receiveMail()
        assert.strictEqual(held.size, 1)
        assert.deepStrictEqual(yield* readSource("acme", accepted[0]?.messageId ?? ""), before)
      })
    )
    scene("do not return after an erasure between their storage and the acceptance of the mail", ({ objects: held }) =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        const mail = { tenant, raw: rawMail({}), source: "smtp", historical: false }
        const late = yield* Effect.scoped(
          Effect.gen(function* () {
            const unseen = yield* prepareEmail(mail)
            const contactId = (yield* acme.receiveMail()).contactId ?? assert.fail("nothing was stored")
            const copy = yield* prepareEmail(mail)
            assert.strictEqual(held.size, 2)
            yield* eraseContact({ tenantId: "acme", contactId, confirm: contactId, requestedBy: "a test" })
            return yield* Effect.all([unseen, copy])
          })
        )
        assert.deepStrictEqual(
          late.map(({ contactId, messageId, outcome, threadId }) => [outcome, messageId, contactId, threadId]),
          Array.from({ length: 2 }, () => ["duplicate_of", null, null, null])
        )
        assert.strictEqual(held.size, 0)
        assert.strictEqual(yield* (yield* Signals).backlog, 0)
      })
    )
    scene("are stored before the message, or the message is not stored", ({ objects: held }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const objects = yield* Objects
        const full = { ...objects, put: () => Effect.fail(new ObjectsUnavailable({ reason: "ENOSPC" })) }
        const failure = yield* Effect.flip(Effect.provideService(acme.receiveMail(), Objects, full))
        assert.strictEqual(failure._tag, "ObjectsUnavailable")
        assert.deepStrictEqual(yield* (yield* Messages).holders("acme", ["mid:first@customer.example"]), [])
        assert.strictEqual((yield* acme.receiveMail()).outcome, "message")
        assert.strictEqual(held.size, 1)
      })
    )
    scene("are deleted if the message was not stored, and stay if only the response was lost", ({ objects: held }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const transactions = yield* Transactions
        const failing = (first: "before" | "after") => {
          let calls = 0
          const atomically: typeof transactions.atomically = (tenantId, unit) => {
            if (calls++ > 0) return transactions.atomically(tenantId, unit)
            return first === "before"
              ? Effect.fail(outage)
              : Effect.andThen(transactions.atomically(tenantId, unit), Effect.fail(outage))
          }
          return Effect.flip(Effect.provideService(acme.receiveMail(), Transactions, { atomically }))
        }
        assert.strictEqual((yield* failing("before"))._tag, "StoreUnavailable")
        assert.strictEqual(held.size, 0)
        assert.strictEqual((yield* failing("after"))._tag, "StoreUnavailable")
        assert.strictEqual(held.size, 1)
        const { messageId, outcome } = yield* acme.receiveMail()
        assert.strictEqual(outcome, "duplicate_of")
        assert.deepStrictEqual([...(yield* readSource("acme", messageId ?? "")).bytes], [...rawMail({})])
      })
    )
    scene("may have any content, with the attachments next to them within a size limit", ({ objects: held }) =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        const pdf = Buffer.from("%PDF the plan")
        const listed = [attachment("a.pdf", 4), attachment("plan.pdf", pdf.length), attachment("huge.pdf", 1)]
        const attachments = [null, pdf, new Uint8Array(maxAttachmentBytes)]
        const source = { bytes: Buffer.from('{"id":1}'), mediaType: "application/json", attachments }
        const { messageId } = yield* receiveParsed(tenant, listed, source)
        assert.strictEqual(held.size, 2)
        assert.strictEqual((yield* readSource("acme", messageId ?? "")).mediaType, "application/json")
        const found = yield* readAttachment(claim(messageId, 1))
        assert.deepStrictEqual([...found.bytes], [...pdf])
        assert.strictEqual(found.attachment.filename, "plan.pdf")
        for (const index of [0, 2, 3, -1, 0.5]) {
          assert.strictEqual((yield* Effect.flip(readAttachment(claim(messageId, index))))._tag, "AttachmentNotFound")
        }
        yield* receiveParsed(tenant, listed, source)
        assert.strictEqual(held.size, 2)
      })
    )
  })
}
