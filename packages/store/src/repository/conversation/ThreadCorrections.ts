import {
  type CarriedId,
  CorrectionNotFound,
  type MessageReferences,
  ThreadCorrection
} from "@leadloom/core/internal/domain/email/thread/ThreadCorrection"
import type { ContactId, ThreadId } from "@leadloom/core/internal/domain/Id"
import {
  type CorrectedMessage,
  ThreadCorrections
} from "@leadloom/core/internal/port/repository/conversation/ThreadCorrections"
import { type Context, Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readArray } from "../../sql/Json.ts"
import { first, type Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"
import { carriedIdsOf, correctionMoves } from "./CorrectionMoves.ts"

const corrections = table(ThreadCorrection, { name: "thread_corrections", key: ["tenantId", "correctionId"] })

type Port = Context.Service.Shape<typeof ThreadCorrections>

/** Sorts after every correction id. */
const lastCorrection = "cor_~"

/** The threads of a correction. */
const threadsOf = ({ fromThreadIds, threadId }: ThreadCorrection): ReadonlyArray<ThreadId> => [
  threadId,
  ...fromThreadIds
]

const lists = (database: Queries): Pick<Port, "latestOf" | "ofMessages" | "ofThread"> => {
  const { isOneOf, query } = database
  const { all, one } = corrections.reading(database)
  const concerning = `FROM thread_correction_items i JOIN thread_corrections c
      ON c.tenant_id = i.tenant_id AND c.correction_id = i.correction_id
    WHERE i.tenant_id = ? AND i.kind = 'thread'`
  const ofThread = all(
    `SELECT ${corrections.columnsOf("c")} ${concerning} AND i.item_id = ? AND i.correction_id < ?
      ORDER BY i.correction_id DESC LIMIT ?`
  )
  const latestOf = one(
    `SELECT ${corrections.columnsOf("c")} ${concerning} AND ${isOneOf("i.item_id")} AND c.undone_at IS NULL
      ORDER BY i.correction_id DESC LIMIT 1`
  )
  const ofMessages = query<CorrectedMessage>(
    `SELECT i.item_id AS "messageId", max(i.correction_id) AS "correctionId"
      FROM thread_correction_items i JOIN thread_corrections c
        ON c.tenant_id = i.tenant_id AND c.correction_id = i.correction_id
      WHERE i.tenant_id = ? AND i.kind = 'message' AND ${isOneOf("i.item_id")} AND c.undone_at IS NULL
      GROUP BY i.item_id`
  )
  return {
    ofThread: (tenantId, threadId, limit, before) => ofThread(tenantId, threadId, before ?? lastCorrection, limit),
    latestOf: (tenantId, threadIds) => latestOf(tenantId, JSON.stringify(threadIds)),
    ofMessages: (tenantId, messageIds) => ofMessages(tenantId, JSON.stringify(messageIds))
  }
}

const journal = (database: Queries): Pick<Port, "end" | "get" | "insert"> => {
  const { command, isOneOf, items, whole } = database
  const { one } = corrections.reading(database)
  const insert = command(corrections.insert)
  const noteThreads = command(
    `INSERT INTO thread_correction_items (tenant_id, correction_id, kind, item_id, thread_id)
      SELECT ?, ?, 'thread', item.value, item.value FROM ${items}`
  )
  const find = one(`SELECT ${corrections.columns} FROM thread_corrections WHERE tenant_id = ? AND correction_id = ?`)
  const end = command(
    `UPDATE thread_corrections SET undone_at = ?, undone_by = ?, undone_by_user = ?, undone_by_user_name = ?
      WHERE tenant_id = ? AND correction_id = ?`
  )
  const separating = `SELECT 1 FROM thread_correction_items i JOIN thread_corrections c
      ON c.tenant_id = i.tenant_id AND c.correction_id = i.correction_id
    WHERE i.tenant_id = threads.tenant_id AND i.item_id = threads.thread_id AND i.kind = 'thread'
      AND c.undone_at IS NULL AND c.kind <> 'join'`
  const refreshThreads = command(
    `UPDATE threads SET corrected = CASE WHEN EXISTS (${separating}) THEN 1 ELSE 0 END
      WHERE tenant_id = ? AND ${isOneOf("thread_id")}`
  )
  return {
    insert: (correction) => {
      const { correctionId, tenantId } = correction
      const threadIds = JSON.stringify(threadsOf(correction))
      return whole(
        insert(...corrections.values(correction)).pipe(
          Effect.andThen(noteThreads(tenantId, correctionId, threadIds)),
          Effect.andThen(refreshThreads(tenantId, threadIds))
        )
      )
    },
    get: Effect.fnUntraced(function* (tenantId, correctionId) {
      return (yield* find(tenantId, correctionId)) ?? (yield* new CorrectionNotFound({ correctionId }))
    }),
    end: (undone) => {
      const { correctionId, tenantId, undoneAt, undoneBy, undoneByUser, undoneByUserName } = undone
      return whole(
        Effect.andThen(
          end(undoneAt, undoneBy, undoneByUser, undoneByUserName, tenantId, correctionId),
          refreshThreads(tenantId, JSON.stringify(threadsOf(undone)))
        )
      )
    }
  }
}

const reading = ({ isOneOf, query }: Queries): Pick<Port, "carriedIds" | "contactsOf" | "references" | "size"> => {
  const size = query<{ readonly count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM messages WHERE tenant_id = ? AND thread_id = ? LIMIT ?) AS walked`
  )
  const contactsOf = query<{ readonly contactId: ContactId }>(
    `SELECT DISTINCT contact_id AS "contactId" FROM messages WHERE tenant_id = ? AND thread_id = ?`
  )
  const carriedIds = query<CarriedId>(carriedIdsOf("m.tenant_id = ? AND m.thread_id = ?"))
  const references = query(
    `SELECT message_id AS "messageId", reference_ids AS "references" FROM messages
      WHERE tenant_id = ? AND ${isOneOf("message_id")}`,
    (rows: ReadonlyArray<Pick<MessageReferences, "messageId"> & { readonly references: string }>) =>
      rows.map(({ messageId, references }): MessageReferences => {
        return { messageId, references: readArray<string>(references) }
      })
  )
  return {
    size: (tenantId, threadId, maxCount) =>
      Effect.map(size(tenantId, threadId, maxCount), (rows) => Number(first(rows)?.count ?? 0)),
    contactsOf: (tenantId, threadId) =>
      Effect.map(contactsOf(tenantId, threadId), (rows) => new Set(rows.map(({ contactId }) => contactId))),
    carriedIds: (tenantId, threadId) => carriedIds(tenantId, threadId, tenantId, threadId),
    references: (tenantId, messageIds) => references(tenantId, JSON.stringify(messageIds))
  }
}

/** Stores corrections of threads in SQL. */
export const layer: Layer.Layer<ThreadCorrections, never, Database> = Layer.effect(
  ThreadCorrections,
  Effect.map(Database, (database) =>
    ThreadCorrections.of({
      ...journal(database),
      ...lists(database),
      ...reading(database),
      ...correctionMoves(database)
    })
  )
)
