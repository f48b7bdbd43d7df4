import { CannedReply, CannedReplyNotFound } from "@leadloom/core/internal/domain/reply/CannedReply"
import { CannedReplies } from "@leadloom/core/internal/port/repository/conversation/CannedReplies"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const replies = table(CannedReply, { name: "canned_replies", key: ["tenantId", "cannedReplyId"] })

/** Stores canned replies in SQL. */
export const layer: Layer.Layer<CannedReplies, never, Database> = Layer.effect(
  CannedReplies,
  Effect.map(Database, (database) => {
    const { command, query } = database
    const read = replies.reading(database)
    const insert = command(replies.insert)
    const update = command(replies.replace)
    const remove = command("DELETE FROM canned_replies WHERE tenant_id = ? AND canned_reply_id = ?")
    const countUse = command(
      `UPDATE canned_replies SET uses = uses + 1, last_used_at = ? WHERE tenant_id = ? AND canned_reply_id = ?`
    )
    const count = query<{ readonly count: number }>("SELECT count(*) AS count FROM canned_replies WHERE tenant_id = ?")
    const find = read.one(`SELECT ${replies.columns} FROM canned_replies WHERE tenant_id = ? AND canned_reply_id = ?`)
    const withShortcut = read.one(`SELECT ${replies.columns} FROM canned_replies WHERE tenant_id = ? AND shortcut = ?`)
    // A tenant has at most `maxCannedReplies` rows, so the filters need no index of their own.
    const page = read.all(
      `SELECT ${replies.columns} FROM canned_replies
        WHERE tenant_id = ? AND (sort_name, canned_reply_id) > (?, ?)
          AND (CAST(? AS text) IS NULL OR folder = ?)
          AND (substr(sort_name, 1, ?) = ? OR substr(shortcut, 1, ?) = ?)
        ORDER BY sort_name, canned_reply_id LIMIT ?`
    )
    return CannedReplies.of({
      insert: (reply) => insert(...replies.values(reply)),
      get: Effect.fnUntraced(function* (tenantId, cannedReplyId) {
        return (yield* find(tenantId, cannedReplyId)) ?? (yield* new CannedReplyNotFound({ cannedReplyId }))
      }),
      withShortcut,
      update: (reply) => update(...replies.changes(reply)),
      remove,
      countUse: (tenantId, cannedReplyId, at) => countUse(at, tenantId, cannedReplyId),
      count: (tenantId) => Effect.map(count(tenantId), (rows) => Number(first(rows)?.count ?? 0)),
      page: (tenantId, { folder, prefix }, limit, after) => {
        const start = prefix ?? ""
        // SQL counts characters, and JavaScript counts UTF-16 code units.
        const { length } = [...start]
        const key = [after?.sortName ?? "", after?.cannedReplyId ?? ""] as const
        return page(tenantId, ...key, folder, folder, length, start, length, start, limit)
      }
    })
  })
)
