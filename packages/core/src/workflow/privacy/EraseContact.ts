/**
 * Exports, imports and erases the personal data of contacts and tenants. The list of tables with personal data does not
 * belong here (`domain/privacy/DataInventory.ts`). Tests: `packages/testkit/src/suite/privacy`,
 * `packages/core/test/domain/privacy`.
 */
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
import { withSpan } from "../WithSpan.ts"

/**
 * The maximum number of rows that one unit of work erases. It is low, because the tenant's incoming mail waits for the
 * unit.
 */
const batchRows = 200

/** The number of objects that are removed between two units of work. */
const batchObjects = 50

/** The tables that are erased together with their messages. */
const byMessage = new Set([
  inventoryByName.messages,
  ...dataInventory.filter(({ belongs }) => belongs.by === "message")
])

/**
 * The records of merges, which concern both contacts of a merge. The items of a merge are erased first, because they
 * are found by the merge.
 */
const journal: ReadonlyArray<PersonalDataTable> = [inventoryByName.contact_merge_items, inventoryByName.contact_merges]

/**
 * The tables that are erased in batches after the messages. Scores come before leads, because they are found by their
 * lead.
 */
const afterwards: ReadonlyArray<PersonalDataTable> = [inventoryByName.lead_scores, ...dataInventory].filter(
  (table) =>
    !byMessage.has(table) &&
    !journal.includes(table) &&
    table.belongs.by !== "address" &&
    table !== inventoryByName.contacts
)

/** Erases a batch of rows of one table. Returns null when no row is left. */
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

/** Deletes the data of outbound events about the contact, because partners could still read these events. */
const eraseEvents = Effect.fnUntraced(function* ({ contactId, erased, tenantId }: Erasure) {
  const count = yield* (yield* PersonalData).redactEvents(tenantId, contactId, batchRows)
  return count === 0 ? null : counted(erased, "events", count)
})

/**
 * The steps of an erasure. Their order matters: rows that are found by their message are erased before the message, and
 * rows to which a message refers are erased after it.
 */
const steps = [...journal.map(eraseTable), eraseMessages(batchRows), ...afterwards.map(eraseTable), eraseEvents]

/** Removes the objects of erased rows. After a crash, the next request for the erasure removes the remaining ones. */
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
 * Runs one batch of a step. Reads the stored state of the erasure first, because a concurrent request may have changed
 * it. Returns false when the step is complete. Runs inside a unit of work.
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

/** Writes the receipt, unless it is already written. Runs inside a unit of work. */
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
  // Stored idempotent responses may contain data of the contact.
  yield* (yield* IdempotencyRecords).forgetAnswers(erasure.tenantId)
  yield* (yield* Erasures).save(receipt)
  return receipt
})

/**
 * Erases one contact, without the contacts that were merged into it. Returns null, without any change, when
 * `beginErasure` returns null.
 */
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

/**
 * Returns the contacts that were merged into this one, directly or through other contacts. A contact comes after those
 * that were merged into it.
 */
const mergedAway = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const found = [contactId]
  for (const id of found) found.push(...(yield* mergedInto(tenantId, id)).filter((one) => !found.includes(one)))
  return found.slice(1).toReversed()
})

/** Fails with `ContactMerged` for a merged contact, because a request must name the primary contact. */
const refuseMerged = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  if ((yield* (yield* Erasures).ofContact(tenantId, contactId)) === null)
    yield* requireUnmergedContact(tenantId, contactId)
})

/**
 * Makes one attempt to erase a contact and the contacts that were merged into it. Returns null when a merge, or the
 * undoing of one, has changed this set meanwhile.
 */
const attempt = Effect.fnUntraced(function* (tenantId: string, contactId: string, requestedBy: string) {
  yield* refuseMerged(tenantId, contactId)
  for (const id of yield* mergedAway(tenantId, contactId)) {
    if ((yield* eraseOne(tenantId, id, requestedBy, "merged")) === null) return null
  }
  return yield* eraseOne(tenantId, contactId, requestedBy, "itself")
})

/**
 * Erases a contact with all its data, in units of work of limited size, and returns the receipt. Contacts that were
 * merged into the contact are erased first, and each has its own receipt. After a crash, a repeated request continues
 * the erasure. When the erasure is complete, a repeated request returns the same receipt. Threads with other contacts
 * keep the messages of those contacts.
 */
export const eraseContact = Effect.fnUntraced(function* (request: {
  readonly tenantId: string
  readonly contactId: string
  /** The id of the contact once more, as a protection against mistakes. */
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
}, withSpan("eraseContact"))
