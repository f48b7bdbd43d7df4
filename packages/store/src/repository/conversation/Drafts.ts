import { Draft } from "@leadloom/core/internal/domain/draft/Draft"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Clock, Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const drafts = table(Draft, { name: "drafts", key: ["tenantId", "draftId"] })

const pendingOf = "tenant_id = ? AND contact_id = ? AND state = 'pending'"
/** A contact has at most one pending draft, which the index `drafts_pending` enforces. */
const pendingOlder = `${pendingOf} AND coalesce((SELECT m."timestamp" FROM messages m
  WHERE m.tenant_id = drafts.tenant_id AND m.message_id = drafts.message_id), 0) <= ?`
const stands = "tenant_id = ? AND draft_id = ? AND state = ?"

/** Returns a statement that updates the task of a draft. The condition must select at most one draft. */
const taskOf = (condition: string, status: string): string =>
  `UPDATE tasks SET status = '${status}', snooze_until = NULL, updated_at = ? WHERE tenant_id = ? AND status <> '${status}'
    AND task_id = (SELECT drafts.task_id FROM drafts WHERE ${condition})`

/** Stores drafts in SQL. */
export const layer: Layer.Layer<Drafts, never, Database> = Layer.effect(
  Drafts,
  Effect.map(Database, ({ command, query, whole }) => {
    const { one } = drafts.reading({ query })
    const insert = command(drafts.insert)
    const find = one(`SELECT ${drafts.columns} FROM drafts WHERE tenant_id = ? AND draft_id = ?`)
    const pending = one(`SELECT ${drafts.columns} FROM drafts WHERE ${pendingOf}`)
    const newest = one(
      `SELECT ${drafts.columns} FROM drafts WHERE tenant_id = ? AND contact_id = ?
        ORDER BY created_at DESC, draft_id DESC LIMIT 1`
    )
    const closePending = command(taskOf(pendingOf, "done"))
    const supersedePending = command(`UPDATE drafts SET state = 'superseded' WHERE ${pendingOf}`)
    const closeOlder = command(taskOf(pendingOlder, "done"))
    const supersedeOlder = command(`UPDATE drafts SET state = 'superseded' WHERE ${pendingOlder}`)
    const closeTask = command(taskOf(stands, "done"))
    const reopenTask = command(taskOf(stands, "open"))
    const change = command(`UPDATE drafts SET state = ? WHERE ${stands}`)
    const supersede = (tenantId: string, contactId: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.andThen(closePending(now, tenantId, tenantId, contactId), supersedePending(tenantId, contactId))
      )
    return Drafts.of({
      propose: (draft) =>
        whole(Effect.andThen(supersede(draft.tenantId, draft.contactId), insert(...drafts.values(draft)))),
      supersede: (tenantId, contactId) => whole(supersede(tenantId, contactId)),
      supersedeOlder: (tenantId, contactId, writtenAt) =>
        whole(
          Effect.gen(function* () {
            yield* closeOlder(yield* Clock.currentTimeMillis, tenantId, tenantId, contactId, writtenAt)
            yield* supersedeOlder(tenantId, contactId, writtenAt)
          })
        ),
      find,
      pending,
      newest,
      end: (tenantId, draftId, state) =>
        whole(
          Effect.gen(function* () {
            yield* closeTask(yield* Clock.currentTimeMillis, tenantId, tenantId, draftId, "pending")
            yield* change(state, tenantId, draftId, "pending")
          })
        ),
      restore: (tenantId, draftId, state) =>
        whole(
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            if (state === "pending") yield* reopenTask(now, tenantId, tenantId, draftId, "sent")
            yield* change(state, tenantId, draftId, "sent")
          })
        )
    })
  })
)
