/**
 * Suites of export, import and erasure of personal data. The data inventory is tested in
 * `packages/core/test/domain/privacy` and `packages/store/test/Privacy.integration.test.ts`.
 */
import { assert, describe, it } from "@effect/vitest"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Erasures } from "@leadloom/core/internal/port/repository/contact/Erasures"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { PersonalData } from "@leadloom/core/internal/port/repository/contact/PersonalData"
import { Leads, Scores } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Objects, ObjectsUnavailable } from "@leadloom/core/internal/port/system/Objects"
import { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { inventoryByName } from "@leadloom/core/internal/domain/privacy/DataInventory"
import type { Row } from "@leadloom/core/internal/domain/privacy/Record"
import { receiptHash } from "@leadloom/core/internal/domain/privacy/Erasure"
import { Effect, Layer, ManagedRuntime } from "effect"
import { Tar } from "effect/encoding"
import fc from "fast-check"
import {
  contactRecord,
  freshTenant,
  idOf,
  leadRecord,
  messageRecord,
  noon,
  scoreRecord,
  taskRecord
} from "../Records.ts"
import {
  erase,
  exported,
  filesIn,
  freshPlace,
  imported,
  manifestOf,
  mergeThem,
  stories,
  playStory,
  containsText,
  unmergeThem
} from "./PrivacyWorld.ts"
import { teamRecord, userRecord } from "../WorkspaceRecords.ts"
import { around } from "../Doubles.ts"
import { acme, inTenant, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { filesOf, tarOf } from "./TarBytes.ts"

/** Tests that an export of the first store is equal to an export of the second store after an import. */
export const journeySuite = (name: string, from: StoreLayer, to: StoreLayer, numRuns: number): void => {
  describe(`exports from ${name}`, () => {
    it.live(
      "are identical after an import, with any merges, and do not change when an older export is imported again",
      () =>
        Effect.promise(async () => {
          const [here, there] = [from, to].map((store) => ManagedRuntime.make(Layer.merge(store, around)))
          if (here === undefined || there === undefined) return
          const property = fc.asyncProperty(stories, async (story) => {
            const [tenantId, copyId] = [freshTenant(), freshTenant()]
            const contacts = await here.runPromise(playStory(tenantId, story))
            const apart = await here.runPromise(exported(tenantId))
            const merges = await here.runPromise(mergeThem(tenantId, story, contacts))
            const merged = await here.runPromise(exported(tenantId))
            await here.runPromise(unmergeThem(tenantId, merges))
            const archive = await here.runPromise(exported(tenantId))
            for (const earlier of [apart, merged]) await here.runPromise(imported(tenantId, earlier))
            assert.deepStrictEqual(manifestOf(await here.runPromise(exported(tenantId))), manifestOf(archive))
            await there.runPromise(freshPlace(copyId))
            const report = await there.runPromise(imported(copyId, archive))
            const copy = await there.runPromise(exported(copyId))
            assert.deepStrictEqual(manifestOf(copy), manifestOf(archive))
            const [someone] = contacts.slice(-1)
            if (someone !== undefined && story.merges.length === 0) {
              const own = await here.runPromise(exported(tenantId, someone))
              assert.deepStrictEqual(manifestOf(await there.runPromise(exported(copyId, someone))), manifestOf(own))
            }
            const again = await there.runPromise(imported(copyId, archive, 512))
            assert.deepStrictEqual(
              Object.values(again).map(({ imported: more }) => more),
              Object.values(again).map(() => 0)
            )
            const events = await there.runPromise(Effect.flatMap(Events, (all) => all.after(copyId, 0, 1)))
            assert.deepStrictEqual(events, [])
            assert.strictEqual(report["messages"]?.imported ?? 0, messagesIn(archive))
          })
          await fc.assert(property, { numRuns })
          await Promise.all([here.dispose(), there.dispose()])
        })
    )
  })
}

const messagesIn = (archive: Uint8Array): number =>
  [...filesIn(archive)].reduce(
    (total, [path, text]) => total + (path.startsWith("messages/") ? text.trim().split("\n").length : 0),
    0
  )

/** Tests export, import and erasure on a store. */
export const privacySuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`export, import and erasure on ${name}`, () => {
    scene("no data of an erased contact is readable, and other people in its threads keep their data", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail({ body: "secret of jo" })
        const answer = yield* acme.receiveMail({
          id: "ann@other.example",
          from: "Ann <ann@other.example>",
          inReplyTo: "first@customer.example",
          body: "ann joins"
        })
        assert.notStrictEqual(answer.contactId, first.contactId)
        assert.strictEqual(answer.threadId, first.threadId)
        const raw = (yield* (yield* Messages).find("acme", first.messageId ?? "msg_nothing"))?.raw
        const receipt = yield* erase(first.contactId)
        assert.strictEqual(receipt.erased["messages"], 1)
        assert.strictEqual(receipt.receiptHash, receiptHash(receipt))
        assert.deepStrictEqual(receipt.emails, [])
        for (const text of ["secret of jo", "jo@customer.example", "Jo Smith"]) {
          assert.isFalse(yield* containsText(text), text)
        }
        assert.isNull(yield* (yield* Objects).get("acme", raw?.key ?? "raw"))
        assert.strictEqual(
          (yield* (yield* Messages).find("acme", answer.messageId ?? "msg_nothing"))?.body,
          "ann joins"
        )
        const later = yield* acme.receiveMail({
          id: "l@other.example",
          from: "ann@other.example",
          inReplyTo: "ann@other.example"
        })
        assert.strictEqual(later.threadId, answer.threadId)
      })
    )

    scene("users and teams keep their ids in a copy, also if their address or name is taken there", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const [users, teams] = [yield* Users, yield* Teams]
        const ann = userRecord("acme", 1, {
          subject: "idp|ann",
          workingHours: [{ days: ["mon"], from: "09:00", to: "17:00" }]
        })
        yield* users.insert(ann)
        yield* users.insert(userRecord("acme", 2, { active: false }))
        yield* teams.insert(teamRecord("acme", 1, { memberIds: [idOf("usr", 1), idOf("usr", 2)] }))
        yield* (yield* Leads).insert(leadRecord("acme", 1, { assigneeId: ann.userId, teamId: idOf("team", 1) }))
        const archive = yield* exported("acme")
        assert.notInclude([...filesIn(archive).values()].join(""), "idp|ann")
        yield* freshPlace("copy")
        yield* users.insert(userRecord("copy", 9, { email: ann.email }))
        yield* teams.insert(teamRecord("copy", 9, { name: "Team 1" }))
        yield* imported("copy", archive)
        const copy = { ...ann, tenantId: "copy", email: null, subject: null }
        assert.deepStrictEqual(yield* users.get("copy", ann.userId), copy)
        assert.isFalse((yield* users.get("copy", idOf("usr", 2))).active)
        const team = yield* teams.get("copy", idOf("team", 1))
        assert.deepStrictEqual(team.memberIds, [idOf("usr", 1), idOf("usr", 2)])
        assert.strictEqual(team.name, `Team 1 (${idOf("team", 1)})`)
        const held = yield* (yield* Leads).heldBy("copy", { assigneeId: ann.userId }, 9)
        assert.deepStrictEqual(
          held.map(({ leadId }) => leadId),
          [idOf("lead", 1)]
        )
      })
    )

    scene("erased mail does not return, and new mail of the same person creates a new contact", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail()
        const archive = yield* exported("acme")
        yield* erase(first.contactId)
        const copy = yield* acme.receiveMail()
        assert.strictEqual(copy.outcome, "duplicate_of")
        assert.isNull(copy.messageId)
        const report = yield* imported("acme", archive)
        assert.deepStrictEqual(report["messages"], { imported: 0, present: 0, erased: 1 })
        assert.isFalse(yield* containsText("customer.example"))
        const next = yield* acme.receiveMail({ id: "next@customer.example", body: "me again" })
        assert.strictEqual(next.outcome, "message")
        assert.notStrictEqual(next.contactId, first.contactId)
        const counts = yield* acme.arrivals
        assert.deepStrictEqual(counts, [
          { outcome: "duplicate_of", count: 1 },
          { outcome: "message", count: 2 }
        ])
      })
    )

    scene("a repeated request continues an interrupted erasure", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail()
        for (const number of [1, 2, 3])
          yield* acme.receiveMail({ id: `${number}@customer.example`, body: `more ${number}` })
        const objects = yield* Objects
        const down = { ...objects, remove: () => Effect.fail(new ObjectsUnavailable({ reason: "down" })) }
        yield* Effect.flip(Effect.provideService(erase(first.contactId), Objects, down))
        const { atomically } = yield* Transactions
        assert.isNull((yield* (yield* Erasures).ofContact("acme", first.contactId ?? ""))?.completedAt ?? null)
        assert.strictEqual(
          (yield* Effect.flip((yield* Contacts).get("acme", first.contactId ?? "")))._tag,
          "ContactNotFound"
        )
        const receipt = yield* erase(first.contactId)
        assert.isNotNull(receipt.completedAt)
        assert.strictEqual(receipt.erased["messages"], 4)
        assert.deepStrictEqual(yield* erase(first.contactId), receipt)
        assert.deepStrictEqual(yield* atomically("acme", (yield* Erasures).page("acme", 10, null)), [receipt])
        assert.deepStrictEqual(yield* (yield* Erasures).objects("acme", receipt.erasureId, 10), [])
      })
    )

    scene("mail during the erasure of its sender is stored for a new contact, or not at all", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail()
        const mails = Array.from({ length: 12 }, (_, n) =>
          acme.receiveMail({ id: `n${n}@customer.example`, body: `n ${n}` })
        )
        const [receipt, accepted] = yield* Effect.all(
          [erase(first.contactId), Effect.all(mails, { concurrency: "unbounded" })],
          { concurrency: "unbounded" }
        )
        const gone = accepted.filter(({ contactId }) => contactId === first.contactId)
        assert.strictEqual(receipt.erased["messages"], 1 + gone.length)
        for (const { contactId, messageId } of accepted) {
          const stored = yield* (yield* Messages).find("acme", messageId ?? "msg_nothing")
          assert.strictEqual(stored === null, contactId === first.contactId)
        }
      })
    )

    scene("leads of others that were merged into an erased one become separate again", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const jo = yield* acme.receiveMail()
        const ann = yield* acme.receiveMail({ id: "ann@other.example", from: "ann@other.example", subject: "Gutters" })
        const both = { id: "x@other.example", from: "ann@other.example", body: "both", subject: "Both" }
        const joined = yield* acme.receiveMail({ ...both, references: "<first@customer.example> <ann@other.example>" })
        assert.strictEqual(joined.leadId, jo.leadId)
        const leads = yield* Leads
        assert.strictEqual((yield* leads.get("acme", ann.leadId ?? "")).mergedInto, jo.leadId)
        yield* (yield* Scores).insert(scoreRecord("acme", 1, { leadId: jo.leadId ?? "lead_" }))
        const { erased } = yield* erase(jo.contactId)
        assert.strictEqual(erased["lead_scores"], 1)
        assert.isNull((yield* leads.get("acme", ann.leadId ?? "")).mergedInto)
        assert.isNull((yield* (yield* Messages).find("acme", joined.messageId ?? "msg_nothing"))?.leadId ?? null)
        const next = yield* acme.receiveMail({
          id: "y@other.example",
          from: "ann@other.example",
          inReplyTo: "x@other.example"
        })
        assert.strictEqual(next.threadId, joined.threadId)
        assert.strictEqual((yield* leads.get("acme", next.leadId ?? "")).contactId, ann.contactId)
      })
    )

    scene("an export of one contact contains no data of others", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const jo = yield* acme.receiveMail({ body: "about jo" })
        yield* acme.receiveMail({ id: "ann@other.example", from: "ann@other.example", body: "about ann" })
        const files = filesIn(yield* exported("acme", jo.contactId))
        const all = [...files.values()].join("\n")
        assert.include(all, "about jo")
        assert.notInclude(all, "about ann")
        assert.isTrue(files.has(`eml/${jo.messageId}.eml`))
      })
    )

    scene("an export of one contact contains each of its many rows once, for every kind of lookup", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* (yield* Contacts).insert(contactRecord("acme", 1))
        yield* (yield* Contacts).insert(contactRecord("acme", 2))
        const [messages, tasks, count] = [yield* Messages, yield* Tasks, 450]
        const { atomically } = yield* Transactions
        yield* atomically(
          "acme",
          Effect.gen(function* () {
            for (let number = 0; number < count; number++) {
              // Many messages of two contacts. Several messages have the same time.
              const about = { contactId: idOf("con", 1 + (number % 2)), timestamp: noon + Math.floor(number / 7) }
              yield* messages.insert(messageRecord("acme", number, about), [`mid:${number}`, `print:${number}`])
              yield* tasks.insert(
                taskRecord("acme", number, { contactId: about.contactId, createdAt: about.timestamp })
              )
            }
          })
        )
        const files = filesIn(yield* exported("acme", idOf("con", 1)))
        for (const [kind, expected] of Object.entries({ messages: 225, dedup_keys: 450, tasks: 225 })) {
          const lines = [...files].flatMap(([path, text]) =>
            path.startsWith(`${kind}/`) ? text.trim().split("\n") : []
          )
          assert.deepStrictEqual([kind, lines.length, new Set(lines).size], [kind, expected, expected])
        }
        const personalData = yield* PersonalData
        const found: Array<Row> = []
        for (let after: Row | null = null; ;) {
          const keys: ReadonlyArray<Row> = yield* personalData.keys(
            "acme",
            inventoryByName.dedup_keys,
            idOf("con", 1),
            after,
            70
          )
          found.push(...keys)
          after = keys.at(-1) ?? null
          if (after === null) break
        }
        const all = yield* personalData.page("acme", inventoryByName.dedup_keys, idOf("con", 1), null, 1_000)
        assert.deepStrictEqual(
          found,
          all.map((row) => ({ dedup_key: row["dedup_key"] ?? null }))
        )
        assert.strictEqual(found.length, 450)
      })
    )

    scene("an invalid row is rejected with its name, and its page stores nothing", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* acme.receiveMail()
        const archive = yield* exported("acme")
        yield* freshPlace("copy")
        const text = archive.toString("latin1")
        const changed = Buffer.from(
          text.replace("What would a new roof cost?", "What would an old roof cost"),
          "latin1"
        )
        const hash = yield* Effect.flip(imported("copy", changed))
        assert.strictEqual(hash._tag, "ArchiveInvalid")
        assert.include(JSON.stringify(hash), "messages/000001.jsonl, line 1")
        const short = yield* Effect.flip(imported("copy", archive.subarray(0, archive.length - 3000)))
        assert.strictEqual(short._tag, "ArchiveInvalid")
        const garbage = yield* Effect.flip(imported("copy", Buffer.alloc(2000, 7)))
        assert.strictEqual(garbage._tag, "ArchiveInvalid")
        for (const path of ["../../etc/passwd", "/etc/passwd", "eml/../../etc/passwd", "attachments/../0"]) {
          const start = filesOf(archive).slice(0, 1)
          const files = [...start, { path, bytes: new Uint8Array(3) }].map((file) => Tar.file(file.path, file.bytes))
          const outside = yield* Effect.flip(imported("copy", tarOf(...files)))
          assert.deepInclude(outside, { _tag: "ArchiveInvalid", entry: path })
        }
        yield* imported("copy", archive)
        yield* freshPlace("third")
        yield* freshPlace("fourth")
        const foreign = yield* inTenant("fourth").receiveMail()
        assert.strictEqual(foreign.outcome, "message")
        const conflict = yield* Effect.flip(imported("fourth", archive))
        assert.strictEqual(conflict._tag, "ArchiveConflict")
        assert.include(JSON.stringify(conflict), "identities/000001.jsonl")
      })
    )

    scene("after an import, later mail joins its thread and copies are recognised", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail()
        const copy = inTenant("copy")
        yield* freshPlace("copy")
        yield* imported("copy", yield* exported("acme"))
        assert.strictEqual((yield* copy.receiveMail()).messageId, first.messageId)
        const next = yield* copy.receiveMail({
          id: "n@customer.example",
          inReplyTo: "first@customer.example",
          body: "And?"
        })
        assert.strictEqual(next.threadId, first.threadId)
        assert.strictEqual(next.contactId, first.contactId)
        const again = yield* imported("copy", yield* exported("acme"))
        assert.strictEqual(again["messages"]?.present, 1)
      })
    )
  })
}
