import { assert, describe } from "@effect/vitest"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { undoMerge } from "@leadloom/core/internal/workflow/contact/UndoMerge"
import { ContactMerges } from "@leadloom/core/internal/port/repository/contact/ContactMerges"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { GuardEvaluations } from "@leadloom/core/internal/port/repository/pipeline/GuardEvaluations"
import { Erasures } from "@leadloom/core/internal/port/repository/contact/Erasures"
import { PersonalData } from "@leadloom/core/internal/port/repository/contact/PersonalData"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Runs } from "@leadloom/core/internal/port/repository/pipeline/Runs"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { StoreUnavailable, Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { inventoryByName } from "@leadloom/core/internal/domain/privacy/DataInventory"
import { Effect } from "effect"
import { guardRecord } from "../tenant/ConfigSuite.ts"
import { runRecord, taskRecord } from "../Records.ts"
import { erase, exported, filesIn, freshPlace, imported, containsText } from "./PrivacyWorld.ts"
import { acme, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { newestConversations } from "../NewestConversations.ts"

const people = ["jo", "ann", "bo"] as const

/** Receives mails of three people. Each person becomes a contact. */
const three = Effect.gen(function* () {
  yield* acme.open()
  const ids: Array<string> = []
  for (const name of people) {
    const { contactId } = yield* acme.receiveMail({
      id: `${name}@customer.example`,
      from: `${name} <${name}@${name}.example>`,
      subject: `Matter of ${name}`,
      body: `secret of ${name}`
    })
    ids.push(contactId ?? "nobody")
  }
  const [jo = "", ann = "", bo = ""] = ids
  return { jo, ann, bo }
})

/** Returns whether the journal of merges contains data of a contact. */
const journalOf = Effect.fnUntraced(function* (contactId: string) {
  const personalData = yield* PersonalData
  const merges = yield* personalData.some("acme", inventoryByName.contact_merges, contactId, 100)
  const items = yield* personalData.page("acme", inventoryByName.contact_merge_items, null, null, 100)
  return [merges.length, items.length]
})

/** Tests export and erasure of merged contacts on a store. */
export const privacyMergeSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`export and erasure of merged contacts on ${name}`, () => {
    scene("tasks without a contact are in archives of the tenant only, and outlive merges and erasures", () =>
      Effect.gen(function* () {
        const { ann, jo } = yield* three
        const tasks = yield* Tasks
        const task = taskRecord("acme", 1, { contactId: null, title: "Order price lists" })
        yield* tasks.insert(task)
        assert.isFalse([...filesIn(yield* exported("acme", jo)).values()].join("").includes(task.title))
        yield* mergeContacts("acme", ann, jo)
        yield* erase(ann)
        assert.isNull((yield* tasks.get("acme", task.taskId)).contactId)
        const archive = yield* exported("acme")
        yield* freshPlace("copy")
        yield* imported("copy", archive)
        assert.deepInclude(yield* tasks.get("copy", task.taskId), { contactId: null, title: task.title })
        assert.deepInclude((yield* imported("acme", archive))["tasks"], { imported: 0, present: 1 })
      })
    )

    scene("the erasure of a contact includes contacts merged into it, and the journal", () =>
      Effect.gen(function* () {
        const { ann, bo, jo } = yield* three
        const first = yield* mergeContacts("acme", ann, bo)
        const second = yield* mergeContacts("acme", jo, ann)
        const receipt = yield* erase(jo)
        assert.strictEqual(receipt.erased["messages"], 3)
        for (const person of people) {
          for (const text of [`secret of ${person}`, `${person}.example`, `Matter of ${person}`]) {
            assert.isFalse(yield* containsText(text), text)
          }
        }
        for (const id of [jo, ann, bo]) {
          assert.deepStrictEqual(yield* journalOf(id), [0, 0])
          assert.strictEqual((yield* Effect.flip((yield* Contacts).get("acme", id)))._tag, "ContactNotFound")
          assert.isNotNull((yield* (yield* Erasures).ofContact("acme", id))?.completedAt ?? null)
        }
        for (const { merge } of [first, second]) {
          assert.strictEqual((yield* Effect.flip(undoMerge("acme", merge.mergeId)))._tag, "MergeNotFound")
        }
      })
    )

    scene("the erasure of one of two unmerged contacts keeps the other, and leaves nothing in the journal", () =>
      Effect.gen(function* () {
        const { ann, jo } = yield* three
        const { merge } = yield* mergeContacts("acme", jo, ann)
        yield* undoMerge("acme", merge.mergeId)
        yield* erase(ann)
        assert.deepStrictEqual(yield* journalOf(jo), [0, 0])
        assert.isFalse(yield* containsText("secret of ann"))
        assert.isFalse(yield* containsText("ann.example"))
        assert.isTrue(yield* containsText("secret of jo"))
        assert.strictEqual((yield* Effect.flip(undoMerge("acme", merge.mergeId)))._tag, "MergeNotFound")
      })
    )

    scene("a merged contact cannot be erased alone, but can after the merge is undone", () =>
      Effect.gen(function* () {
        const { ann, jo } = yield* three
        const { merge } = yield* mergeContacts("acme", jo, ann)
        const refused = yield* Effect.flip(erase(ann))
        assert.deepStrictEqual(
          [refused._tag, "mergedInto" in refused ? refused.mergedInto : null],
          ["ContactMerged", merge.primaryId]
        )
        assert.isTrue(yield* containsText("secret of ann"))
        yield* undoMerge("acme", merge.mergeId)
        assert.strictEqual((yield* erase(ann)).erased["messages"], 1)
        assert.isTrue(yield* containsText("secret of jo"))
      })
    )

    scene("an interrupted erasure continues at a merged contact, and no undo is possible in between", () =>
      Effect.gen(function* () {
        const { ann, jo } = yield* three
        const { merge } = yield* mergeContacts("acme", jo, ann)
        const personalData = yield* PersonalData
        const items = Array.from({ length: 5_100 }, (_, index) => ({
          merge_id: merge.mergeId,
          kind: "identity",
          item_id: `email:${index}@ann.example`
        }))
        yield* (yield* Transactions).atomically(
          "acme",
          personalData.insert("acme", inventoryByName.contact_merge_items, items)
        )
        const down = Effect.fail(new StoreUnavailable({ reason: "down" }))
        const breaking = (kind: string) =>
          Effect.provideService(erase(jo), PersonalData, {
            ...personalData,
            remove: (tenantId, of, rows) => (of.name === kind ? down : personalData.remove(tenantId, of, rows))
          })
        yield* Effect.flip(breaking("contact_merges"))
        assert.strictEqual((yield* Effect.flip(undoMerge("acme", merge.mergeId)))._tag, "MergeNotFound")
        yield* Effect.flip(breaking("activities"))
        assert.isNull((yield* (yield* Erasures).ofContact("acme", ann))?.completedAt ?? null)
        yield* erase(jo)
        assert.isNotNull((yield* (yield* Erasures).ofContact("acme", ann))?.completedAt ?? null)
        assert.deepStrictEqual(yield* journalOf(jo), [0, 0])
        const left = yield* personalData.page("acme", inventoryByName.activities, null, null, 100)
        assert.deepStrictEqual(left, [])
        assert.isFalse(yield* containsText("ann.example"))
      })
    )

    scene("an undo just before an erasure keeps the duplicate", () =>
      Effect.gen(function* () {
        const { ann, jo } = yield* three
        const { merge } = yield* mergeContacts("acme", jo, ann)
        const { atomically, ...transactions } = yield* Transactions
        let undone = false
        const between = Effect.suspend(() => {
          if (undone) return Effect.void
          undone = true
          return Effect.asVoid(undoMerge("acme", merge.mergeId))
        })
        const context = yield* Effect.context<Effect.Services<typeof between>>()
        yield* Effect.provideService(erase(jo), Transactions, {
          ...transactions,
          atomically: (tenantId, unit) =>
            Effect.andThen(Effect.orDie(Effect.provideContext(between, context)), atomically(tenantId, unit))
        })
        assert.isFalse(yield* containsText("secret of jo"))
        assert.isTrue(yield* containsText("secret of ann"))
        assert.isNull((yield* acme.contactOf(ann)).mergedInto)
        assert.isNull(yield* (yield* Erasures).ofContact("acme", ann))
      })
    )

    scene("imported rows of a merged contact belong to the remaining one", () =>
      Effect.gen(function* () {
        const { ann, jo } = yield* three
        yield* freshPlace("copy")
        yield* imported("copy", yield* exported("acme"))
        const { merge } = yield* mergeContacts("copy", jo, ann)
        const late = yield* acme.receiveMail({
          id: "late@ann.example",
          from: "ann@ann.example",
          body: "one more of ann"
        })
        assert.strictEqual(late.contactId, ann)
        const lateId = late.messageId ?? "msg_nothing"
        const run = runRecord("acme", 1, { contactId: merge.duplicateId, messageId: lateId })
        yield* (yield* Runs).insert(run)
        const said = guardRecord("acme", 1, { contactId: merge.duplicateId, messageId: lateId })
        yield* (yield* GuardEvaluations).insert("acme", [said])
        yield* imported("copy", yield* exported("acme"))
        assert.strictEqual((yield* (yield* Runs).ofSignal("copy", run.signalId))?.contactId, jo)
        const personalData = yield* PersonalData
        assert.lengthOf(yield* personalData.some("copy", inventoryByName.guard_evaluations, jo, 9), 1)
        const stored = yield* (yield* Messages).find("copy", late.messageId ?? "msg_nothing")
        assert.strictEqual(stored?.contactId, jo)
        const heads = yield* newestConversations("copy", 9)
        assert.notInclude(
          heads.map(({ contactId }) => contactId),
          merge.duplicateId
        )
        assert.isNotNull(yield* (yield* ContactMerges).ofDuplicate("copy", merge.duplicateId))
        yield* undoMerge("copy", merge.mergeId)
        const back = yield* (yield* Messages).find("copy", late.messageId ?? "msg_nothing")
        assert.include([jo, ann], back?.contactId ?? "nobody")
      })
    )
  })
}
