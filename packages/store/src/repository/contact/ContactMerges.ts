import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import { type ContactMerge, MergeHead, MergeNotFound } from "@leadloom/core/internal/domain/contact/ContactMerge"
import type { ConversationHead } from "@leadloom/core/internal/domain/conversation/ConversationHead"
import { newInboxState } from "@leadloom/core/internal/domain/conversation/InboxState"
import { ContactMerges } from "@leadloom/core/internal/port/repository/contact/ContactMerges"
import { unchecked } from "@leadloom/core/internal/domain/Field"
import { Effect, Layer, Schema } from "effect"
import { Database } from "../../Database.ts"
import { contactMoves } from "./ContactMoves.ts"
import { first } from "../../sql/Queries.ts"
import { mappedTable } from "../../sql/Table.ts"

type Head = Omit<ConversationHead, "aliases"> & { readonly aliases: ReadonlyArray<string> }

/** A contact in a journal. Journals of earlier versions lack the later fields. */
type AddedField = "customFields" | "companyId" | "companyRemoved"
type JournalContact = Omit<Contact, AddedField> & Partial<Pick<Contact, AddedField>>

/** The state of both contacts before the merge, as JSON. */
interface Journal {
  readonly before: {
    readonly primary: JournalContact
    readonly duplicate: JournalContact
    readonly primaryHead: Head | null
    readonly duplicateHead: Head | null
  }
  readonly after: { readonly primary: JournalContact; readonly unread: number }
}

class MergeRow extends Schema.Opaque<MergeRow>()(
  Schema.Struct({ ...MergeHead.fields, journal: unchecked<Journal>() })
) {}

const headToJson = (head: ConversationHead | null): Head | null =>
  head === null ? null : { ...head, aliases: [...head.aliases] }
/** Journals of earlier versions have no inbox state. */
const headFromJson = (head: Head | null): ConversationHead | null =>
  head === null ? null : { ...newInboxState, ...head, aliases: new Set(head.aliases) }

/** Adds the fields that journals of earlier versions lack. */
const complete = (contact: JournalContact): Contact => ({
  customFields: {},
  companyId: null,
  companyRemoved: false,
  ...contact
})

const merges = mappedTable(
  MergeRow,
  { name: "contact_merges", key: ["tenantId", "mergeId"] },
  {
    toRow: ({ after, before, ...merge }: ContactMerge) => {
      const heads = { primaryHead: headToJson(before.primaryHead), duplicateHead: headToJson(before.duplicateHead) }
      return { ...merge, journal: { before: { ...before, ...heads }, after } }
    },
    fromRow: ({ journal: { after, before }, ...row }): ContactMerge => {
      const heads = { primaryHead: headFromJson(before.primaryHead), duplicateHead: headFromJson(before.duplicateHead) }
      const { duplicate, primary } = before
      return {
        ...row,
        before: { ...before, ...heads, primary: complete(primary), duplicate: complete(duplicate) },
        after: { ...after, primary: complete(after.primary) }
      }
    }
  }
)

/** Stores contact merges in SQL. */
export const layer: Layer.Layer<ContactMerges, never, Database> = Layer.effect(
  ContactMerges,
  Effect.map(Database, (database) => {
    const { command, whole } = database
    const { all, one } = merges.reading(database)
    const insert = command(merges.insert)
    const find = one(`SELECT ${merges.columns} FROM contact_merges WHERE tenant_id = ? AND merge_id = ?`)
    const end = command("UPDATE contact_merges SET undone_at = ? WHERE tenant_id = ? AND merge_id = ?")
    const forget = command("DELETE FROM contact_merge_items WHERE tenant_id = ? AND merge_id = ?")
    const ofPrimary = all(
      `SELECT ${merges.columns} FROM contact_merges
        WHERE tenant_id = ? AND primary_id = ? AND undone_at IS NULL ORDER BY ordinal DESC LIMIT ?`
    )
    const ofDuplicate = one(
      `SELECT ${merges.columns} FROM contact_merges WHERE tenant_id = ? AND duplicate_id = ? AND undone_at IS NULL`
    )
    return ContactMerges.of({
      ...contactMoves(database),
      insert: (merge) => insert(...merges.values(merge)),
      get: Effect.fnUntraced(function* (tenantId, mergeId) {
        return (yield* find(tenantId, mergeId)) ?? (yield* new MergeNotFound({ mergeId }))
      }),
      end: (tenantId, mergeId, at) => whole(Effect.andThen(end(at, tenantId, mergeId), forget(tenantId, mergeId))),
      latestOf: (tenantId, primaryId) => Effect.map(ofPrimary(tenantId, primaryId, 1), first),
      ofPrimary,
      ofDuplicate
    })
  })
)
