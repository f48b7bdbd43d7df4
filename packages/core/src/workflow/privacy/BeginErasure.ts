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

/** Who is erased: somebody by themselves, or as one who was merged into somebody. */
export type ErasureMode = "itself" | "merged"

/** Rows of one kind that the first unit takes; what somebody may have beyond that goes with the batches. */
const closingRows = 5_000

/**
 * What goes in the first unit of work: from then on nobody finds the contact or its leads, and new mail of the same person
 * makes a new one. Each is a few rows a contact.
 */
const closing: ReadonlyArray<PersonalDataTable> = [
  inventoryByName.identities,
  inventoryByName.conversation_aliases,
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

/** That nothing may be sent to an address or a number stays known, and nothing else of it. */
const hashAddresses = Effect.fnUntraced(function* (erasure: Erasure, table: PersonalDataTable, column: string) {
  const { contactId, tenantId } = erasure
  const personalData = yield* PersonalData
  const { pepper } = yield* Secrets
  const rows = yield* personalData.some(tenantId, table, contactId, closingRows)
  const marks = rows.map((row): Row => ({
    ...row,
    [column]: tombstone(textOf(row, column), pepper),
    ...("reason" in row && { reason: "erased" })
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

/** Lets go of others that stand under leads which are taken away. Runs inside a unit of work. */
export const detachLeads = Effect.fnUntraced(function* (tenantId: string, contactId: string, rows: ReadonlyArray<Row>) {
  const leadIds = rows.map((row) => textOf(row, "lead_id"))
  if (leadIds.length > 0) yield* (yield* PersonalData).detachLeads(tenantId, contactId, leadIds)
})

/** Closes the contact: what finds it goes at once, and what was to be done about it is not done. */
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
  // The record of one who was merged away is found by nobody and leads here again after a crash: it goes with the receipt.
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

/** Contacts that were merged into this one. */
export const mergedInto = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const rows = yield* (yield* PersonalData).some(tenantId, inventoryByName.contacts, contactId, closingRows)
  return rows.map((row) => textOf(row, "contact_id")).filter((id) => id !== contactId)
})

/**
 * The erasure of a contact as it stands: begun now, or before. Null: a merge came, or was undone, since it was seen who is
 * meant, and that has to be seen anew. Runs inside a unit of work.
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
