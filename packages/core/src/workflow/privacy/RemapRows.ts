import { Effect } from "effect"
import { ContactMerges } from "../../port/repository/contact/ContactMerges.ts"
import { PersonalData } from "../../port/repository/contact/PersonalData.ts"
import type { PersonalDataTable } from "../../domain/privacy/PersonalDataTable.ts"
import { inventoryByName } from "../../domain/privacy/DataInventory.ts"
import { type Row, textOf } from "../../domain/privacy/Record.ts"

/** The tables whose rows a merge moves to the primary contact. */
const moved: ReadonlySet<PersonalDataTable> = new Set([
  inventoryByName.identities,
  inventoryByName.messages,
  inventoryByName.leads,
  inventoryByName.tasks,
  inventoryByName.drafts,
  inventoryByName.calls,
  inventoryByName.notes
])

/** The tables whose rows always belong to the contact of their message. */
const followers: ReadonlySet<PersonalDataTable> = new Set([
  inventoryByName.runs,
  inventoryByName.guard_evaluations,
  inventoryByName.tracked_links
])

/**
 * The tables that summarise other data of a contact. Their rows are not imported for contacts that were merged on this
 * deployment, because the summaries differ.
 */
const summaries: ReadonlySet<PersonalDataTable> = new Set([
  inventoryByName.conversations,
  inventoryByName.conversation_aliases,
  inventoryByName.conversation_tags
])

/** The maximum number of merges that are read per contact. */
const mergesLookedAt = 1_000

const contactsOf = Effect.fnUntraced(function* (tenantId: string, ids: Iterable<string>) {
  const requested = [...new Set(ids)].map((id) => ({ contact_id: id }))
  const rows = yield* (yield* PersonalData).present(tenantId, inventoryByName.contacts, requested)
  return new Map(rows.map((row) => [textOf(row, "contact_id"), row]))
})

/** Maps each merged contact to the contact that has its data after the merge. */
const primaries = Effect.fnUntraced(function* (tenantId: string, contacts: ReadonlyMap<string, Row>) {
  const found = new Map<string, string>()
  for (const [id, row] of contacts) {
    const seen = new Set([id])
    let into = textOf(row, "merged_into")
    while (into !== "" && !seen.has(into)) {
      seen.add(into)
      found.set(id, into)
      into = textOf((yield* contactsOf(tenantId, [into])).get(into) ?? {}, "merged_into")
    }
  }
  return found
})

/** Returns those of the contacts that were part of a merge on this deployment. Undone merges count too. */
const everMerged = Effect.fnUntraced(function* (tenantId: string, ids: Iterable<string>) {
  const personalData = yield* PersonalData
  const table = inventoryByName.contact_merges
  const found = new Set<string>()
  if ((yield* personalData.page(tenantId, table, null, null, 1)).length === 0) return found
  for (const id of ids) if ((yield* personalData.some(tenantId, table, id, 1)).length > 0) found.add(id)
  return found
})

/**
 * Replaces the contact of rows that belong to a merged contact by the contact to which their message belongs at
 * present.
 */
const withTheirMessages = Effect.fnUntraced(function* (
  tenantId: string,
  rows: ReadonlyArray<Row>,
  into: ReadonlyMap<string, string>
) {
  const requested = rows.filter((row) => into.has(textOf(row, "contact_id")))
  const messages = yield* (yield* PersonalData).present(
    tenantId,
    inventoryByName.messages,
    requested.map((row) => ({ message_id: textOf(row, "message_id") }))
  )
  const holders = new Map(messages.map((row) => [textOf(row, "message_id"), textOf(row, "contact_id")]))
  return rows.map((row) => {
    const holder = into.has(textOf(row, "contact_id")) ? holders.get(textOf(row, "message_id")) : undefined
    return holder === undefined ? row : { ...row, contact_id: holder }
  })
})

/**
 * Adapts rows of an archive to merges that happened on this deployment after the export. Rows of a merged contact get
 * the contact that has its data at present. Conversation summaries and tags that no longer exist are dropped.
 */
export const remapRows = Effect.fnUntraced(function* (
  tenantId: string,
  table: PersonalDataTable,
  rows: ReadonlyArray<Row>
) {
  const tagged = table === inventoryByName.contact_tags
  if (!tagged && !moved.has(table) && !followers.has(table) && !summaries.has(table)) return rows
  const contacts = yield* contactsOf(
    tenantId,
    rows.map((row) => textOf(row, "contact_id"))
  )
  if (tagged) {
    const has = ({ tags = null }: Row, tag: string): boolean => Array.isArray(tags) && tags.includes(tag)
    return rows.filter((row) => has(contacts.get(textOf(row, "contact_id")) ?? {}, textOf(row, "tag")))
  }
  const into = yield* primaries(tenantId, contacts)
  if (summaries.has(table)) {
    const merged = yield* everMerged(tenantId, contacts.keys())
    const isSettled = (id: string): boolean => into.has(id) || merged.has(id)
    return rows.filter((row) => !isSettled(textOf(row, "contact_id")))
  }
  if (into.size === 0) return rows
  if (followers.has(table)) return yield* withTheirMessages(tenantId, rows, into)
  return rows.map((row) => ({ ...row, contact_id: into.get(textOf(row, "contact_id")) ?? row["contact_id"] ?? null }))
})

/**
 * Returns whether two contacts were ever merged on this deployment, directly or through other contacts. Undone merges
 * count too.
 */
export const wereMerged = Effect.fnUntraced(function* (tenantId: string, one: string, other: string) {
  const personalData = yield* PersonalData
  const merges = yield* ContactMerges
  const found = [one]
  for (const id of found) {
    const rows = yield* personalData.some(tenantId, inventoryByName.contact_merges, id, mergesLookedAt)
    for (const row of rows) {
      const merge = yield* merges
        .get(tenantId, textOf(row, "merge_id"))
        .pipe(Effect.catchTag("MergeNotFound", () => Effect.succeed(null)))
      if (merge === null) continue
      const sides: ReadonlyArray<string> = [merge.primaryId, merge.duplicateId]
      if (sides.includes(other)) return true
      found.push(...sides.filter((side) => !found.includes(side)))
    }
  }
  return false
})
