import { assert, describe } from "@effect/vitest"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { readMessage } from "@leadloom/core/internal/workflow/conversation/ReadMessage"
import { type MessageToSend, sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { readAttachment } from "@leadloom/core/internal/workflow/intake/Sources"
import { Effect } from "effect"
import { acme, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { upload } from "../upload/UploadSuite.ts"
import { open as openTexts } from "./TextWorld.ts"

const open = Effect.gen(function* () {
  const tenant = yield* acme.open()
  yield* acme.connectMail()
  const { contactId, messageId, threadId } = yield* acme.handleMail({ to: "sales@acme.com" })
  const send = (message: Partial<MessageToSend> = {}) =>
    sendMessage(tenant, contactId, { channel: "email", body: "Hello", replyAll: false, ...message }, null)
  return { contactId, messageId, send, threadId }
})

const mailbox = (email: string) => ({ email, name: null })

/** Tests the options of composed messages on a store: recipients, threads, attachments and forwarding. */
export const composedSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")

  describe(`a composed email on ${name}`, () => {
    scene("has the stated recipients, sender and Reply-To, and hides Bcc from the stored copy", ({ mail }) =>
      Effect.gen(function* () {
        const { send, threadId } = yield* open
        const sent = yield* send({
          cc: [mailbox("Boss@Customer.example")],
          bcc: [mailbox("archive@acme.com")],
          replyTo: [mailbox("desk@acme.com")],
          from: mailbox("office@acme.com")
        })
        const [left] = mail.outbox
        assert.deepStrictEqual(
          [left?.from.email, left?.to[0]?.email, left?.cc, left?.bcc, left?.replyTo, sent.threadId],
          [
            "office@acme.com",
            "jo@customer.example",
            [mailbox("boss@customer.example")],
            [mailbox("archive@acme.com")],
            [mailbox("desk@acme.com")],
            threadId
          ]
        )
        const stored = yield* acme.messageOf(sent.messageId)
        assert.deepStrictEqual([stored.cc, stored.replyTo], [["boss@customer.example"], ["desk@acme.com"]])
        assert.notInclude(JSON.stringify(stored), "archive@acme.com")
        assert.deepStrictEqual((yield* readMessage("acme", sent.messageId)).bcc, ["archive@acme.com"])
      })
    )

    scene("opens a thread with a subject, without line breaks in header fields", ({ mail }) =>
      Effect.gen(function* () {
        const { send, threadId } = yield* open
        const sent = yield* send({ subject: "Your offer\r\nBcc: eve@evil.example" })
        const [left] = mail.outbox
        assert.deepStrictEqual(
          [left?.subject, left?.inReplyTo, left?.to.map(({ email }) => email)],
          ["Your offer Bcc: eve@evil.example", null, ["jo@customer.example"]]
        )
        assert.notStrictEqual(sent.threadId, threadId)
      })
    )

    scene("rejects invalid addresses, foreign senders and fields of emails on texts", ({ mail }) =>
      Effect.gen(function* () {
        const { send } = yield* open
        const tags = (message: Partial<MessageToSend>) => Effect.map(Effect.flip(send(message)), ({ _tag }) => _tag)
        for (const message of [
          { cc: [mailbox("a@b.example\r\nX: y")] },
          { from: mailbox("eve@evil.example") },
          { cc: Array.from({ length: 101 }, (_, index) => mailbox(`a${index}@b.example`)) },
          { channel: "sms", subject: "A text" }
        ] satisfies ReadonlyArray<Partial<MessageToSend>>)
          assert.strictEqual(yield* tags(message), "EmailRequestInvalid")
        assert.strictEqual(yield* tags({ replyToMessageId: "msg_00000000000000000000000000" }), "MessageNotFound")
        assert.deepStrictEqual(mail.outbox, [])
      })
    )

    scene("sends and stores attachments, each upload once", ({ mail }) =>
      Effect.gen(function* () {
        const { send } = yield* open
        const [offer, logo] = [yield* upload("the offer"), yield* upload("a logo", "logo.png", "image/png")]
        const attachments = [
          { uploadId: offer.uploadId, contentId: null },
          { uploadId: logo.uploadId, contentId: "logo" }
        ]
        const sent = yield* send({ body: `<p>Hello <img src="cid:logo"></p>`, attachments })
        const [left] = mail.outbox
        assert.deepStrictEqual(
          left?.attachments?.map(({ contentId, contentType, filename }) => [filename, contentType, contentId]),
          [
            ["offer.pdf", "application/pdf", null],
            ["logo.png", "image/png", "logo"]
          ]
        )
        assert.include(left?.html ?? "", "cid:logo")
        assert.deepStrictEqual(
          mail.files[0]?.map((bytes) => new TextDecoder().decode(bytes)),
          ["the offer", "a logo"]
        )
        const { bytes } = yield* readAttachment({ tenantId: "acme", messageId: sent.messageId, index: 1 })
        assert.strictEqual(new TextDecoder().decode(bytes), "a logo")
        assert.strictEqual((yield* Effect.flip(send({ attachments })))._tag, "UploadNotFound")
        assert.strictEqual(mail.outbox.length, 1)
      })
    )

    scene("fails if an attachment is no longer stored", ({ mail, objects }) =>
      Effect.gen(function* () {
        const { send } = yield* open
        const { uploadId } = yield* upload("gone soon")
        for (const path of objects.keys()) if (path.includes(uploadId)) objects.delete(path)
        const failure = yield* Effect.flip(send({ attachments: [{ uploadId, contentId: null }] }))
        assert.strictEqual(failure._tag, "MailRefused")
        assert.deepStrictEqual(mail.outbox, [])
      })
    )

    scene("forwards a mail with its text and files to other people, in the contact's conversation", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, send } = yield* open
        const { uploadId } = yield* upload("the plan", "plan.pdf")
        const first = yield* send({ attachments: [{ uploadId, contentId: null }], body: "See the plan." })
        const sent = yield* send({
          body: "What do you think?",
          forwardMessageId: first.messageId,
          to: [mailbox("expert@partner.example")]
        })
        const left = present(mail.outbox[1])
        assert.deepStrictEqual(
          [left.subject, left.to.map(({ email }) => email), left.attachments?.map(({ filename }) => filename)],
          ["Fwd: Re: A roof", ["expert@partner.example"], ["plan.pdf"]]
        )
        assert.include(left.text, "What do you think?\n\n---------- Forwarded message ----------\nFrom: sales@acme.com")
        assert.include(left.text, "See the plan.")
        assert.strictEqual((yield* acme.messageOf(sent.messageId)).contactId, contactId)
        assert.deepStrictEqual(new TextDecoder().decode(mail.files[1]?.[0]), "the plan")
        const foreign = yield* Effect.flip(send({ forwardMessageId: "msg_00000000000000000000000000" }))
        assert.strictEqual(foreign._tag, "MessageNotFound")
      })
    )

    scene("records each step of its delivery", ({ mail }) =>
      Effect.gen(function* () {
        const { messageId, send } = yield* open
        const sent = yield* send()
        const { history } = yield* readMessage("acme", sent.messageId)
        assert.deepStrictEqual(
          history.map(({ attempt, reason, step }) => [step, attempt, reason]),
          [
            ["started", 1, null],
            ["sent", 1, "250 ok"]
          ]
        )
        assert.deepStrictEqual((yield* readMessage("acme", messageId)).history, [])
        assert.strictEqual((yield* Effect.flip(readMessage("acme", "msg_x")))._tag, "MessageMissing")
        assert.strictEqual((yield* (yield* Grants).current("acme"))?.email, "office@acme.com")
        assert.strictEqual(mail.outbox.length, 1)
      })
    )
  })

  describe(`a text with files on ${name}`, () => {
    scene("gives the provider links to its files", ({ texts }) =>
      Effect.gen(function* () {
        const tenant = yield* openTexts({ rules: [] })
        const { contactId } = yield* acme.receiveText("Do you have a picture?")
        const { uploadId } = yield* upload("a picture", "roof.png", "image/png")
        const attachments = [{ uploadId, contentId: null }]
        const text = { channel: "sms", body: "Here it is", replyAll: false, attachments } as const
        const { messageId } = yield* sendMessage(tenant, contactId, text, null)
        const [path = ""] = texts.outbox[0]?.mediaPaths ?? []
        assert.match(path, /^\/api\/v1\/public\/attachments\/.+/u)
        const { attachment } = yield* readAttachment({ tenantId: "acme", messageId: present(messageId), index: 0 })
        assert.strictEqual(attachment.contentType, "image/png")
      })
    )
  })
}
