import { Clock, Effect } from "effect"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { Erasures } from "../../port/repository/contact/Erasures.ts"
import { PersonalData } from "../../port/repository/contact/PersonalData.ts"
import { IdempotencyRecords } from "../../port/repository/tenant/IdempotencyRecords.ts"
import { Objects } from "../../port/system/Objects.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { enqueueRecordingDeletion } from "./CallRows.ts"
import { type ErasureMode, beginErasure, mergedInto, detachLeads } from "./BeginErasure.ts"
import { eraseMessages } from "./EraseMessages.ts"
import { counted, type Erasure, ErasureNotConfirmed, receiptHash } from "../../domain/privacy/Erasure.ts"
import { folderOf, type PersonalDataTable } from "../../domain/privacy/PersonalDataTable.ts"
import { dataInventory, inventoryByName } from "../../domain/privacy/DataInventory.ts"

/** Rows that one unit of work takes away at most: units of the tenant's mail wait for it. */
const batchRows = 200

/** Objects that are taken away between two units of work. */
const batchObjects = 50

/** What goes with the messages that it is found by. */
const byMessage = new Set([
  inventoryByName.messages,
  ...dataInventory.filter(({ belongs }) => belongs.by === "message")
])

/** The journal of merges, which holds records of both sides: what was moved goes before the merge that it is found by. */
const journal: ReadonlyArray<PersonalDataTable> = [inventoryByName.contact_merge_items, inventoryByName.contact_merges]

/** What goes batch by batch after the messages; scores before the leads that they are found by. */
const afterwards: ReadonlyArray<PersonalDataTable> = [inventoryByName.lead_scores, ...dataInventory].filter(
  (table) =>
    !byMessage.has(table) &&
    !journal.includes(table) &&
    table.belongs.by !== "address" &&
    table !== inventoryByName.contacts
)

/** Takes rows of one kind away. */
const eraseTable = (table: PersonalDataTable) =>
  Effect.fnUntraced(function* (erasure: Erasure) {
    const { contactId, tenantId } = erasure
    const personalData = yield* PersonalData
    const rows = yield* personalData.some(tenantId, table, contactId, batchRows)
    if (rows.length === 0) return null
    if (table === inventoryByName.calls) yield* enqueueRecordingDeletion(tenantId, rows)
    if (table === inventoryByName.leads) yield* detachLeads(tenantId, contactId, rows)
    yield* personalData.remove(tenantId, table, rows)
    return counted(erasure.erased, folderOf(table), rows.length)
  })

/** Empties what partners were told, and are told when they ask again. */
const eraseEvents = Effect.fnUntraced(function* ({ contactId, erased, tenantId }: Erasure) {
  const count = yield* (yield* PersonalData).redactEvents(tenantId, contactId, batchRows)
  return count === 0 ? null : counted(erased, "events", count)
})

/** In this order: what is found by the messages goes before them, and what they stand under after them. */
const steps = [...journal.map(eraseTable), eraseMessages(batchRows), ...afterwards.map(eraseTable), eraseEvents]

/** Takes away objects that rows referred to. What a crash leaves is found again by the next request. */
const eraseObjects = Effect.fnUntraced(function* ({ erasureId, tenantId }: Erasure) {
  const erasures = yield* Erasures
  const { remove } = yield* Objects
  const { atomically } = yield* Transactions
  for (;;) {
    const keys = yield* erasures.objects(tenantId, erasureId, batchObjects)
    if (keys.length === 0) return
    yield* Effect.forEach(keys, (key) => remove(tenantId, key), { concurrency: 8, discard: true })
    yield* atomically(tenantId, erasures.dropObjects(tenantId, erasureId, keys))
  }
})

type Step = (typeof steps)[number]

/**
 * One step of an erasure as it stands, which somebody else may have carried on meanwhile. False: there is nothing more to
 * do for it. Runs inside a unit of work.
 */
const advance = Effect.fnUntraced(function* (step: Step, tenantId: string, contactId: string) {
  const erasures = yield* Erasures
  const erasure = yield* erasures.ofContact(tenantId, contactId)
  if (erasure === null || erasure.completedAt !== null) return false
  const erased = yield* step(erasure)
  if (erased === null) return false
  yield* erasures.save({ ...erasure, erased })
  return true
})

/** The receipt, written once. Runs inside a unit of work. */
const complete = Effect.fnUntraced(function* (begun: Erasure, now: number) {
  const erasure = (yield* (yield* Erasures).ofContact(begun.tenantId, begun.contactId)) ?? begun
  if (erasure.completedAt !== null) return erasure
  const table = inventoryByName.contacts
  const personalData = yield* PersonalData
  const left = yield* personalData.present(erasure.tenantId, table, [{ contact_id: erasure.contactId }])
  yield* personalData.remove(erasure.tenantId, table, left)
  const erased = counted(erasure.erased, table.name, left.length)
  const done: Erasure = { ...erasure, erased, completedAt: now, emails: [] }
  const receipt = { ...done, receiptHash: receiptHash(done) }
  // Somebody may have been told of the contact in an answer that is kept for a repetition.
  yield* (yield* IdempotencyRecords).forgetAnswers(erasure.tenantId)
  yield* (yield* Erasures).save(receipt)
  return receipt
})

/** Erases one contact, apart from those that were merged into it. Null as `beginErasure` has it: nothing has been done. */
const eraseOne = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  requestedBy: string,
  as: ErasureMode
) {
  const { atomically } = yield* Transactions
  const begun = yield* atomically(tenantId, beginErasure(tenantId, contactId, requestedBy, as))
  if (begun === null) return null
  for (const step of steps) while (yield* atomically(tenantId, advance(step, tenantId, contactId)));
  yield* eraseObjects(begun)
  return yield* atomically(
    tenantId,
    Effect.flatMap(Clock.currentTimeMillis, (now) => complete(begun, now))
  )
})

/** Contacts that were merged into this one, and into those, before whom they were merged into. */
const mergedAway = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const found = [contactId]
  for (const id of found) found.push(...(yield* mergedInto(tenantId, id)).filter((one) => !found.includes(one)))
  return found.slice(1).toReversed()
})

/** What was merged into another is that one now: who is meant has to be said. */
const refuseMerged = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  if ((yield* (yield* Erasures).ofContact(tenantId, contactId)) === null)
    yield* requireUnmergedContact(tenantId, contactId)
})

/** One attempt at a contact and those that are part of it. Null: a merge or its undoing came in between. */
const attempt = Effect.fnUntraced(function* (tenantId: string, contactId: string, requestedBy: string) {
  yield* refuseMerged(tenantId, contactId)
  for (const id of yield* mergedAway(tenantId, contactId)) {
    if ((yield* eraseOne(tenantId, id, requestedBy, "merged")) === null) return null
  }
  return yield* eraseOne(tenantId, contactId, requestedBy, "itself")
})

/**
 * Erases a contact and everything kept of it, in bounded units of work; answers with the receipt. Contacts that were
 * merged into it go first, each with a receipt of its own. Asking again goes on where a crash broke it off, and gives the
 * same receipt when it was complete. Threads with others keep the others' messages.
 */
export const eraseContact = Effect.fn("eraseContact")(function* (request: {
  readonly tenantId: string
  readonly contactId: string
  /** The contact's id once more, against accidents. */
  readonly confirm: string
  readonly requestedBy: string
}) {
  const { confirm, contactId, requestedBy, tenantId } = request
  yield* (yield* Tenants).get(tenantId)
  if (confirm !== contactId) return yield* new ErasureNotConfirmed({ contactId })
  for (;;) {
    const receipt = yield* attempt(tenantId, contactId, requestedBy)
    if (receipt !== null) return receipt
  }
})
