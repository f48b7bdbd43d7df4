/**
 * Suites of messages, threads, conversations and histories. Thread matching on its own is tested in
 * `packages/core/test/domain/email`.
 */
import { assert, layer } from "@effect/vitest"
import type { TimelineKey } from "@leadloom/core/internal/domain/contact/Activity"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import { type MessageKey, Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Effect, Exit } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, idOf, messageRecord, noon } from "../Records.ts"

/** Tests the port `Messages` on a store. */
export const messagesSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Messages on ${name}`, (it) => {
    it.effect("returns a message as stored, to its tenant only", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [one, other] = [freshTenant(), freshTenant()]
        const message = messageRecord(one, 1, {
          leadId: idOf("lead", 1),
          threadId: idOf("thr", 1),
          body: "Grüße 👩‍👩‍👧 'quoted' \"double\" \\ end",
          htmlBody: "<p>Grüße</p>",
          quotedText: "> before",
          subject: "Re: Angebot",
          internetMessageId: "a@x.example",
          receivedAlias: "sales@x.example",
          from: "jo@x.example",
          to: ["sales@x.example", "två@x.example"],
          cc: ["cc@x.example"],
          auto: "list",
          flags: ["sender_unverified", "subject_changed"],
          attachments: [
            { filename: "ä.pdf", contentType: "application/pdf", size: 12, contentId: null, inline: false }
          ],
          metadata: { nested: { list: [1, "two", null], flag: true } }
        })
        yield* messages.insert(message, [])
        assert.deepStrictEqual(yield* messages.find(one, message.messageId), message)
        assert.isNull(yield* messages.find(other, message.messageId))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(messages.insert(message, []))))
      })
    )
    it.effect("returns the ids and sizes of a history, and reads the requested messages", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [one, other] = [freshTenant(), freshTenant()]
        const plain = messageRecord(one, 1, { body: "Grüße" })
        const full = messageRecord(one, 2, {
          body: "a",
          htmlBody: "<p>ü</p>",
          quotedText: "> 👩",
          to: ["två@x.example"]
        })
        for (const message of [
          plain,
          full,
          messageRecord(other, 3),
          messageRecord(one, 4, { contactId: idOf("con", 2) })
        ])
          yield* messages.insert(message, [])
        const empty = "[][][][][]{}".length
        const outlines = [
          { timestamp: noon + 2, messageId: idOf("msg", 2), bytes: 1 + 9 + 6 + empty + '"två@x.example"'.length + 1 },
          { timestamp: noon + 1, messageId: idOf("msg", 1), bytes: 7 + empty }
        ]
        const outline = (key: TimelineKey | null, limit: number) => messages.outline(one, idOf("con", 1), key, limit)
        assert.deepStrictEqual(yield* outline(null, 10), outlines)
        assert.deepStrictEqual(yield* outline(null, 1), outlines.slice(0, 1))
        assert.deepStrictEqual(yield* outline({ at: noon + 2, id: idOf("msg", 2) }, 10), outlines.slice(1))
        const ids = [1, 2, 3, 99].map((number) => idOf("msg", number))
        const found = yield* messages.findAll(one, ids)
        assert.deepStrictEqual(
          found.toSorted((first, second) => first.timestamp - second.timestamp),
          [plain, full]
        )
        assert.deepStrictEqual(yield* messages.findAll(one, []), [])
      })
    )
    it.effect("replaces only the result of parsing, for a message of one tenant", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [one, other] = [freshTenant(), freshTenant()]
        const message = messageRecord(one, 1, { body: "(placeholder)", subject: "Angebot", flags: ["unparsed_memory"] })
        const neighbour = messageRecord(one, 2, { body: "stays" })
        yield* messages.insert(message, [])
        yield* messages.insert(neighbour, [])
        const content = {
          body: "Grüße",
          htmlBody: "<p>Grüße</p>",
          quotedText: "> before",
          attachments: [{ filename: "a.pdf", contentType: "application/pdf", size: 1, contentId: null, inline: false }],
          flags: ["no_auto_reply" as const]
        }
        yield* messages.setParsed(other, message.messageId, content)
        assert.deepStrictEqual(yield* messages.find(one, message.messageId), message)
        yield* messages.setParsed(one, message.messageId, content)
        assert.deepStrictEqual(yield* messages.find(one, message.messageId), { ...message, ...content })
        assert.deepStrictEqual(yield* messages.find(one, neighbour.messageId), neighbour)
      })
    )
    it.effect("keeps a key with its first message, separately for each tenant", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [one, other] = [freshTenant(), freshTenant()]
        yield* messages.insert(messageRecord(one, 1), ["mid:<a@x>", "hash:1"])
        yield* messages.insert(messageRecord(one, 2), ["mid:<a@x>", "hash:2", 'quote:"]'])
        yield* messages.insert(messageRecord(other, 3), ["mid:<a@x>"])
        const held = yield* messages.holders(one, ["mid:<a@x>", "hash:2", 'quote:"]', "hash:3", "hash:2"])
        assert.deepStrictEqual(held.map(({ key, messageId }) => [key, messageId]).toSorted(), [
          ["hash:2", idOf("msg", 2)],
          ["mid:<a@x>", idOf("msg", 1)],
          ['quote:"]', idOf("msg", 2)]
        ])
        assert.deepStrictEqual(yield* messages.holders(other, ["mid:<a@x>"]), [
          { key: "mid:<a@x>", messageId: idOf("msg", 3), fingerprint: null }
        ])
        assert.deepStrictEqual(yield* messages.holders(one, []), [])
      })
    )

    it.effect(
      "gives the keys of a message to one of concurrent claims, all or none, and to none if they are taken",
      () =>
        Effect.gen(function* () {
          const messages = yield* Messages
          const [one, other] = [freshTenant(), freshTenant()]
          const keysOf = (tenantId: string) =>
            Effect.map(messages.holders(tenantId, ["mid:<a@x>", "hash:1", "hash:2"]), (held) =>
              held.map(({ fingerprint, key, messageId }) => [key, messageId, fingerprint]).toSorted()
            )
          const claim = (
            tenantId: string,
            number: number,
            keys: ReadonlyArray<string>,
            more: ReadonlyArray<string> = []
          ) =>
            messages.claimKeys(tenantId, idOf("msg", number), { keys, absent: [...keys, ...more], fingerprint: null })
          const all = yield* Effect.forEach([1, 2, 3], (number) => claim(one, number, ["mid:<a@x>", "hash:1"]), {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(all.toSorted(), [false, false, true])
          const winner = idOf("msg", all.indexOf(true) + 1)
          assert.isFalse(yield* claim(one, 4, ["hash:1", "hash:2"]))
          assert.isFalse(yield* claim(one, 5, ["hash:2"], ["mid:<a@x>"]))
          assert.deepStrictEqual(yield* keysOf(one), [
            ["hash:1", winner, null],
            ["mid:<a@x>", winner, null]
          ])
          assert.isTrue(yield* claim(one, 6, ["hash:2", "hash:2"], ["hash:3"]))
          const fingerprint = "f".repeat(64)
          const request = { keys: ["hash:1"], absent: ["hash:1"], fingerprint }
          assert.isTrue(yield* messages.claimKeys(other, idOf("msg", 7), request))
          assert.deepStrictEqual(yield* keysOf(other), [["hash:1", idOf("msg", 7), fingerprint]])
        })
    )
    it.effect("stores the fingerprint of a request with its key", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const tenantId = freshTenant()
        yield* messages.insert(messageRecord(tenantId, 1), ["request:key:a"], "f".repeat(64))
        yield* messages.insert(messageRecord(tenantId, 2), ["request:key:a"], "e".repeat(64))
        assert.deepStrictEqual(yield* messages.holders(tenantId, ["request:key:a"]), [
          { key: "request:key:a", messageId: idOf("msg", 1), fingerprint: "f".repeat(64) }
        ])
      })
    )
    it.effect("returns the messages of a lead oldest first in pages, and the contact's latest one", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [one, other] = [freshTenant(), freshTenant()]
        const leadId = idOf("lead", 1)
        const insert = (number: number, minutes: number, changes: Partial<Message> = {}) =>
          messages.insert(messageRecord(one, number, { leadId, timestamp: noon + minutes, ...changes }), [])
        assert.isNull(yield* messages.latestFromContact(one, leadId))
        yield* insert(1, 5)
        yield* insert(2, 3)
        yield* insert(3, 5)
        yield* insert(4, 7, { actor: "agent" })
        yield* insert(5, 8, { auto: "auto_reply" })
        yield* insert(6, 9, { leadId: idOf("lead", 2) })
        yield* messages.insert(messageRecord(other, 7, { leadId }), [])
        const ofLead = (limit: number, after: MessageKey | null) =>
          Effect.map(messages.ofLead(one, leadId, limit, after), (found) => found.map(({ messageId }) => messageId))
        assert.deepStrictEqual(yield* ofLead(2, null), [idOf("msg", 2), idOf("msg", 1)])
        const after = { timestamp: noon + 5, messageId: idOf("msg", 1) }
        assert.deepStrictEqual(yield* ofLead(9, after), [idOf("msg", 3), idOf("msg", 4), idOf("msg", 5)])
        assert.deepStrictEqual((yield* messages.latestFromContact(one, leadId))?.messageId, idOf("msg", 3))
        assert.isNull(yield* messages.latestFromContact(other, idOf("lead", 2)))
      })
    )
    it.effect("returns a contact's history oldest first, in any order of arrival", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const tenantId = freshTenant()
        const at = (number: number, minutes: number) =>
          messageRecord(tenantId, number, {
            timestamp: noon + minutes * 60_000,
            channel: number % 2 === 0 ? "sms" : "email"
          })
        yield* Effect.forEach([at(1, 3), at(2, 1), at(4, 2), at(3, 2)], (message) => messages.insert(message, []))
        yield* messages.insert(messageRecord(tenantId, 9, { contactId: idOf("con", 2) }), [])
        const history = yield* messages.ofContact(tenantId, idOf("con", 1))
        assert.deepStrictEqual(history, [at(2, 1), at(3, 2), at(4, 2), at(1, 3)])
        assert.deepStrictEqual(yield* messages.ofContact(freshTenant(), idOf("con", 1)), [])
      })
    )
    it.effect("finds the newest email of a contact's leads that is not automatic", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const insert = (number: number, changes: Parameters<typeof messageRecord>[2]) => {
          const place = { channel: "email" as const, leadId: idOf("lead", 1), timestamp: noon + number * 60_000 }
          const internetMessageId = `${number}@x.example`
          return messages.insert(messageRecord(tenantId, number, { ...place, internetMessageId, ...changes }), [])
        }
        const newest = Effect.map(messages.newestEmail(tenantId, idOf("con", 1)), (found) => found?.messageId)
        yield* insert(1, { leadId: null })
        yield* insert(2, { channel: "sms" })
        assert.isUndefined(yield* newest)
        yield* insert(4, { actor: "agent", auto: "own" })
        yield* insert(3, { leadId: idOf("lead", 2) })
        yield* insert(5, { auto: "auto_reply" })
        // The message is appended to the lead from another system, so it has no Message-ID.
        yield* insert(9, { internetMessageId: null })
        yield* insert(6, { auto: "bounce" })
        yield* insert(7, { channel: "sms" })
        yield* insert(8, { contactId: idOf("con", 2) })
        yield* messages.insert(messageRecord(other, 9, { channel: "email", leadId: idOf("lead", 1) }), [])
        assert.strictEqual(yield* newest, idOf("msg", 4))
        yield* insert(10, { auto: "list" })
        assert.strictEqual(yield* newest, idOf("msg", 10))
      })
    )
    it.effect("returns a contact's history in pages from the newest, to its tenant only", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [tenantId, other] = [freshTenant(), freshTenant()]
        // Two messages with the same time: the one with the greater id is newer.
        const records = [1, 2, 3, 4, 5].map((number) =>
          messageRecord(tenantId, number, { timestamp: noon + (number === 3 ? 2 : number) })
        )
        yield* Effect.forEach(records, (message) => messages.insert(message, []))
        yield* messages.insert(messageRecord(tenantId, 9, { contactId: idOf("con", 2) }), [])
        const page = (before: Message | null) => {
          const key = before === null ? null : { at: before.timestamp, id: before.messageId }
          return messages.before(tenantId, idOf("con", 1), key, 2)
        }
        const newest = yield* page(null)
        assert.deepStrictEqual(newest, records.slice(3).toReversed())
        const older = yield* page(newest.at(-1) ?? null)
        assert.deepStrictEqual(older, records.slice(1, 3).toReversed())
        assert.deepStrictEqual(yield* page(older.at(-1) ?? null), records.slice(0, 1))
        assert.deepStrictEqual(yield* page(records[0] ?? null), [])
        assert.deepStrictEqual(yield* messages.before(other, idOf("con", 1), null, 2), [])
      })
    )
    it.effect("detects later messages of the contact by the order of acceptance", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const insert = (message: ReturnType<typeof messageRecord>) => messages.insert(message, [])
        const isReplySuperseded = (number: number) =>
          messages.hasNewerFromContact(tenantId, idOf("con", 1), idOf("msg", number))
        // Accepted second, with an earlier time than the first.
        yield* insert(messageRecord(tenantId, 1, { receivedAt: noon + 1 }))
        assert.isFalse(yield* isReplySuperseded(1))
        yield* insert(messageRecord(tenantId, 2, { receivedAt: noon + 2, actor: "agent" }))
        yield* insert(messageRecord(tenantId, 3, { receivedAt: noon + 2, contactId: idOf("con", 2) }))
        yield* insert(messageRecord(other, 4, { receivedAt: noon + 2 }))
        assert.isFalse(yield* isReplySuperseded(1))
        yield* insert(messageRecord(tenantId, 5, { receivedAt: noon + 3, timestamp: noon - 60_000, channel: "sms" }))
        assert.isTrue(yield* isReplySuperseded(1))
        assert.isFalse(yield* isReplySuperseded(5))
        yield* insert(messageRecord(tenantId, 6, { receivedAt: noon + 3 }))
        assert.isTrue(yield* isReplySuperseded(5))
        assert.isFalse(yield* isReplySuperseded(6))
      })
    )
    it.effect("tells whether a contact has written since a time, apart from automatic mail", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const insert = (message: ReturnType<typeof messageRecord>) => messages.insert(message, [])
        const hasWritten = () => messages.hasWrittenSince(tenantId, idOf("con", 1), noon)
        yield* insert(messageRecord(tenantId, 1, { receivedAt: noon }))
        yield* insert(messageRecord(tenantId, 2, { receivedAt: noon + 1, actor: "agent" }))
        yield* insert(messageRecord(tenantId, 3, { receivedAt: noon + 1, auto: "auto_reply" }))
        yield* insert(messageRecord(tenantId, 4, { receivedAt: noon + 1, contactId: idOf("con", 2) }))
        yield* insert(messageRecord(other, 5, { receivedAt: noon + 1 }))
        assert.isFalse(yield* hasWritten())
        // The time of acceptance decides, because the contact's clock may be wrong.
        yield* insert(messageRecord(tenantId, 6, { receivedAt: noon + 1, timestamp: noon - 60_000 }))
        assert.isTrue(yield* hasWritten())
      })
    )
    it.effect("counts the messages of a contact by direction and channel, and those after its newest one", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const insert = (number: number, changes: Parameters<typeof messageRecord>[2] = {}, of = tenantId) =>
          messages.insert(messageRecord(of, number, { timestamp: noon + number, channel: "email", ...changes }), [])
        const contactId = idOf("con", 1)
        assert.deepStrictEqual(yield* messages.activity(tenantId, contactId, null), [])
        yield* insert(1, { actor: "agent" })
        yield* insert(2)
        yield* insert(3, { actor: "assistant", auto: "own", channel: "sms" })
        yield* insert(4, { actor: "agent", delivery: "queued" })
        yield* insert(5, { actor: "agent", delivery: "bounced" })
        yield* insert(6, { actor: "system" })
        yield* insert(7, { auto: "auto_reply" })
        yield* insert(8, { contactId: idOf("con", 2) })
        yield* insert(9, {}, other)
        const email = { channel: "email" as const }
        assert.deepStrictEqual(yield* messages.activity(tenantId, contactId, null), [
          { direction: "inbound", ...email, count: 1, newest: noon + 2, unanswered: 0 },
          { direction: "outbound", ...email, count: 2, newest: noon + 4, unanswered: 1 },
          { direction: "outbound", channel: "sms", count: 1, newest: noon + 3, unanswered: 1 }
        ])
        assert.deepStrictEqual(
          yield* messages.activity(tenantId, contactId, { timestamp: noon + 2, messageId: idOf("msg", 2) }),
          [{ direction: "outbound", ...email, count: 1, newest: noon + 1, unanswered: 1 }]
        )
      })
    )
    it.effect("finds the newest message of a person that was written and accepted after a given message", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const insert = (number: number, changes: Parameters<typeof messageRecord>[2] = {}, of = tenantId) =>
          messages.insert(messageRecord(of, number, changes), [])
        const since = (number: number) => messages.newestSince(tenantId, idOf("con", 1), idOf("msg", number))
        yield* insert(1)
        yield* insert(2, { actor: "agent", delivery: "failed" })
        yield* insert(3, { auto: "auto_reply" })
        yield* insert(4, { actor: "assistant" })
        yield* insert(5, { contactId: idOf("con", 2) })
        yield* insert(6, { timestamp: noon - 1 })
        yield* insert(7, { receivedAt: noon - 1 })
        yield* insert(8, {}, other)
        assert.isNull(yield* since(1))
        assert.isNull(yield* since(99))
        yield* insert(10, { actor: "agent", auto: "own" })
        yield* insert(9, { actor: "agent", delivery: "queued" })
        assert.strictEqual(yield* since(1), idOf("msg", 10))
        assert.isNull(yield* since(10))
        yield* insert(11)
        assert.strictEqual(yield* since(1), idOf("msg", 11))
      })
    )
    it.effect("counts the assistant's messages to a contact, and finds the newest message of a person", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [one, other] = [freshTenant(), freshTenant()]
        const contact = idOf("con", 1)
        const side = (since: number) => messages.ourSide(one, contact, since)
        assert.deepStrictEqual(yield* side(0), { repliesSince: 0, lastByPersonAt: null })
        const actors = ["contact", "assistant", "agent", "assistant", "agent", "assistant", "system"] as const
        for (const [number, actor] of actors.entries())
          yield* messages.insert(messageRecord(one, number, { actor }), [])
        yield* messages.insert(messageRecord(one, 8, { actor: "agent", contactId: idOf("con", 2) }), [])
        yield* messages.insert(messageRecord(other, 9, { actor: "agent" }), [])
        assert.deepStrictEqual(yield* side(0), { repliesSince: 3, lastByPersonAt: noon + 4 })
        assert.deepStrictEqual(yield* side(noon + 3), { repliesSince: 2, lastByPersonAt: noon + 4 })
      })
    )

    it.effect("stores the contact that a message is about, and removes it", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [one, other] = [freshTenant(), freshTenant()]
        const subjects = Effect.forEach([one, other], (tenantId) =>
          Effect.map(messages.find(tenantId, idOf("msg", 1)), (message) => message?.subjectContactId)
        )
        yield* Effect.forEach([one, other], (tenantId) => messages.insert(messageRecord(tenantId, 1), []))
        yield* messages.setSubject(one, idOf("msg", 1), idOf("con", 7))
        assert.deepStrictEqual(yield* subjects, [idOf("con", 7), null])
        yield* messages.setSubject(one, idOf("msg", 1), null)
        assert.deepStrictEqual(yield* subjects, [null, null])
      })
    )
    it.effect("moves the messages of merged leads, of one tenant only", () =>
      Effect.gen(function* () {
        const messages = yield* Messages
        const [one, other] = [freshTenant(), freshTenant()]
        for (const tenantId of [one, other]) {
          for (const number of [1, 2, 3]) {
            yield* messages.insert(messageRecord(tenantId, number, { leadId: idOf("lead", number) }), [])
          }
        }
        yield* messages.moveLead(one, idOf("lead", 1), [idOf("lead", 2)])
        const leadOf = (tenantId: string, number: number) =>
          Effect.map(messages.find(tenantId, idOf("msg", number)), (message) => message?.leadId)
        assert.strictEqual(yield* leadOf(one, 2), idOf("lead", 1))
        assert.strictEqual(yield* leadOf(one, 3), idOf("lead", 3))
        assert.strictEqual(yield* leadOf(other, 2), idOf("lead", 2))
      })
    )
  })
