import { isObject, type Json } from "../../domain/text/Json.ts"
import { Clock, Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Erasures } from "../../port/repository/contact/Erasures.ts"
import { PersonalData } from "../../port/repository/contact/PersonalData.ts"
import { Ids } from "../../port/system/Ids.ts"
import { counted, type Erasure, tombstone } from "../../domain/privacy/Erasure.ts"
import { folderOf, type PersonalDataTable } from "../../domain/privacy/PersonalDataTable.ts"
import { dataInventory, inventoryByName } from "../../domain/privacy/DataInventory.ts"
import { type Row, rowKey, textOf } from "../../domain/privacy/Record.ts"

/** The role of a contact in an erasure: the requested contact itself, or one that was merged into it. */
export type ErasureMode = "itself" | "merged"

/** The maximum number of rows per table that the first unit of work erases. Later units of work erase the others. */
const closingRows = 5_000

/**
 * The tables that the first unit of work erases. From then on, the contact and its leads cannot be found, and new mail
 * from the person creates a new contact. Each of these tables has only a few rows per contact.
 */
const closing: ReadonlyArray<PersonalDataTable> = [
  inventoryByName.identities,
  inventoryByName.conversation_aliases,
  inventoryByName.conversation_tags,
  inventoryByName.conversation_reads,
  inventoryByName.conversations,
  inventoryByName.merge_suggestions,
  inventoryByName.contact_tags,
  inventoryByName.contact_list,
  inventoryByName.lead_scores,
  inventoryByName.leads
]

const emailsOf = (identities: ReadonlyArray<Row>): ReadonlyArray<string> =>
  identities.flatMap((row) => {
    const identity = textOf(row, "identity")
    return identity.startsWith("email:") ? [identity.slice("email:".length)] : []
  })

/** Removes the proofs of consent from an opt-out and its history, because they can contain words of the contact. */
const withoutEvidence = ({ history }: Row): Row => ({
  evidence: null,
  history: Array.isArray(history)
    ? history.map((change: Json) => (isObject(change) ? { ...change, evidence: null } : change))
    : []
})

/**
 * Replaces addresses and numbers by hashes. They still prevent messages to these addresses and numbers, but do not
 * reveal them.
 */
const hashAddresses = Effect.fnUntraced(function* (erasure: Erasure, table: PersonalDataTable, column: string) {
  const { contactId, tenantId } = erasure
  const personalData = yield* PersonalData
  const { pepper } = yield* Secrets
  const rows = yield* personalData.some(tenantId, table, contactId, closingRows)
  const marks = rows.map((row): Row => ({
    ...row,
    [column]: tombstone(textOf(row, column), pepper),
    ...("reason" in row && { reason: "erased" }),
    ...("evidence" in row && withoutEvidence(row))
  }))
  const known = new Set((yield* personalData.present(tenantId, table, marks)).map((row) => rowKey(table, row)))
  yield* personalData.remove(tenantId, table, rows)
  yield* personalData.insert(
    tenantId,
    table,
    marks.filter((mark) => !known.has(rowKey(table, mark)))
  )
  return counted(erasure.erased, folderOf(table), rows.length)
})

/** Removes references to leads that are erased from the records of other contacts. Runs inside a unit of work. */
export const detachLeads = Effect.fnUntraced(function* (tenantId: string, contactId: string, rows: ReadonlyArray<Row>) {
  const leadIds = rows.map((row) => textOf(row, "lead_id"))
  if (leadIds.length > 0) yield* (yield* PersonalData).detachLeads(tenantId, contactId, leadIds)
})

/** Starts the erasure of a contact: deletes the rows that identify the contact, and deletes its queued work. */
const close = Effect.fnUntraced(function* (contact: Contact, requestedBy: string, now: number, as: ErasureMode) {
  const { contactId, tenantId } = contact
  const personalData = yield* PersonalData
  const identities = yield* personalData.some(tenantId, inventoryByName.identities, contactId, closingRows)
  const opened: Erasure = {
    erasureId: yield* (yield* Ids).next("era"),
    tenantId,
    contactId,
    requestedBy,
    requestedAt: now,
    completedAt: null,
    erased: {},
    emails: emailsOf(identities),
    receiptHash: null
  }
  let { erased } = opened
  for (const table of dataInventory) {
    if (table.belongs.by === "address")
      erased = yield* hashAddresses({ ...opened, erased }, table, table.belongs.column)
  }
  yield* personalData.stopWork(tenantId, contactId)
  // The row of a merged contact stays until the receipt is written, because after a crash it is needed to find the
  // contact again. No look-up returns it.
  for (const table of as === "merged" ? closing : [...closing, inventoryByName.contacts]) {
    const rows = yield* personalData.some(tenantId, table, contactId, closingRows)
    if (table === inventoryByName.leads) yield* detachLeads(tenantId, contactId, rows)
    yield* personalData.remove(tenantId, table, rows)
    erased = counted(erased, folderOf(table), rows.length)
  }
  const erasure = { ...opened, erased }
  yield* (yield* Erasures).save(erasure)
  return erasure
})

/** Returns the contacts that were merged directly into this one. */
export const mergedInto = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const rows = yield* (yield* PersonalData).some(tenantId, inventoryByName.contacts, contactId, closingRows)
  return rows.map((row) => textOf(row, "contact_id")).filter((id) => id !== contactId)
})

/**
 * Starts the erasure of a contact. If it has already started, returns the existing erasure. Returns null when a merge,
 * or the undoing of one, has changed the set of contacts to erase. The caller must then determine this set again. Runs
 * inside a unit of work.
 */
export const beginErasure = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  requestedBy: string,
  as: ErasureMode
) {
  const known = yield* (yield* Erasures).ofContact(tenantId, contactId)
  if (known !== null) return known
  const contact = yield* (yield* Contacts).get(tenantId, contactId)
  if ((contact.mergedInto === null) !== (as === "itself")) return null
  if ((yield* mergedInto(tenantId, contactId)).length > 0) return null
  return yield* close(contact, requestedBy, yield* Clock.currentTimeMillis, as)
})
