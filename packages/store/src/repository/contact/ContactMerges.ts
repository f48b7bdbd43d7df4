import { type ContactMerge, MergeNotFound } from "@leadloom/core/domain/contact/ContactMerge"
import type { ConversationHead } from "@leadloom/core/domain/conversation/ConversationHead"
import { ContactMerges } from "@leadloom/core/port/repository/contact/ContactMerges"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { contactMoves } from "./ContactMoves.ts"
import { readObject } from "../../sql/Json.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

type Head = Omit<ConversationHead, "aliases"> & { readonly aliases: ReadonlyArray<string> }

/** The state of both contacts before the merge, as JSON. */
interface Journal {
  readonly before: Omit<ContactMerge["before"], "primaryHead" | "duplicateHead"> & {
    readonly primaryHead: Head | null
    readonly duplicateHead: Head | null
  }
  readonly after: ContactMerge["after"]
}

type MergeRow = Omit<ContactMerge, "before" | "after"> & { readonly journal: string }

const merges = table<MergeRow>(
  "contact_merges",
  {
    tenantId: "tenant_id",
    mergeId: "merge_id",
    primaryId: "primary_id",
    duplicateId: "duplicate_id",
    ordinal: "ordinal",
    mergedAt: "merged_at",
    undoneAt: "undone_at",
    watermark: "watermark",
    journal: "journal"
  },
  ["tenantId", "mergeId"]
)

const headToJson = (head: ConversationHead | null): Head | null =>
  head === null ? null : { ...head, aliases: [...head.aliases] }
const headFromJson = (head: Head | null): ConversationHead | null =>
  head === null ? null : { ...head, aliases: new Set(head.aliases) }

const toRow = ({ after, before, ...merge }: ContactMerge): MergeRow => {
  const heads = { primaryHead: headToJson(before.primaryHead), duplicateHead: headToJson(before.duplicateHead) }
  const journal: Journal = { before: { ...before, ...heads }, after }
  return { ...merge, journal: JSON.stringify(journal) }
}

const fromRow = ({ journal, ...row }: MergeRow): ContactMerge => {
  const { after, before } = readObject<Journal>(journal)
  const heads = { primaryHead: headFromJson(before.primaryHead), duplicateHead: headFromJson(before.duplicateHead) }
  return { ...row, before: { ...before, ...heads }, after }
}

/** Stores contact merges in SQL. */
export const layer: Layer.Layer<ContactMerges, never, Database> = Layer.effect(
  ContactMerges,
  Effect.map(Database, (all) => {
    const { command, query, whole } = all
    const insert = command(merges.insert)
    const find = query<MergeRow>(`SELECT ${merges.columns} FROM contact_merges WHERE tenant_id = ? AND merge_id = ?`)
    const end = command("UPDATE contact_merges SET undone_at = ? WHERE tenant_id = ? AND merge_id = ?")
    const forget = command("DELETE FROM contact_merge_items WHERE tenant_id = ? AND merge_id = ?")
    const ofPrimary = query<MergeRow>(
      `SELECT ${merges.columns} FROM contact_merges
        WHERE tenant_id = ? AND primary_id = ? AND undone_at IS NULL ORDER BY ordinal DESC LIMIT ?`
    )
    const ofDuplicate = query<MergeRow>(
      `SELECT ${merges.columns} FROM contact_merges WHERE tenant_id = ? AND duplicate_id = ? AND undone_at IS NULL`
    )
    const one = (rows: ReadonlyArray<MergeRow>): ContactMerge | null => {
      const row = first(rows)
      return row === null ? null : fromRow(row)
    }
    return ContactMerges.of({
      ...contactMoves(all),
      insert: (merge) => insert(...merges.values(toRow(merge))),
      get: Effect.fnUntraced(function* (tenantId, mergeId) {
        return one(yield* find(tenantId, mergeId)) ?? (yield* new MergeNotFound({ mergeId }))
      }),
      end: (tenantId, mergeId, at) => whole(Effect.andThen(end(at, tenantId, mergeId), forget(tenantId, mergeId))),
      latestOf: (tenantId, primaryId) => Effect.map(ofPrimary(tenantId, primaryId, 1), one),
      ofPrimary: (tenantId, primaryId, limit) =>
        Effect.map(ofPrimary(tenantId, primaryId, limit), (rows) => rows.map(fromRow)),
      ofDuplicate: (tenantId, duplicateId) => Effect.map(ofDuplicate(tenantId, duplicateId), one)
    })
  })
)
