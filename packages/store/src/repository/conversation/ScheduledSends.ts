import { ScheduledSend } from "@leadloom/core/internal/domain/sending/ScheduledSend"
import { ScheduledSends } from "@leadloom/core/internal/port/repository/conversation/ScheduledSends"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { makeClaim, type WorkTable } from "../../queue/Claim.ts"
import { makeWakeUps } from "../../queue/WakeUps.ts"
import { first, oldest } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const scheduled = table(ScheduledSend, { name: "scheduled_sends", key: ["tenantId", "messageId"] })

/** The work table of scheduled messages. A claim only delays the next one: the unit of work decides. */
export const work: WorkTable = {
  name: "scheduled_sends",
  id: "message_id",
  open: "state = 'scheduled'",
  index: "scheduled_sends_due",
  changes: "attempts = attempts + 1",
  columns: scheduled.columns
}

/** Stores scheduled messages in SQL. */
export const layer: Layer.Layer<ScheduledSends, never, Database> = Layer.effect(
  ScheduledSends,
  Effect.map(Database, (database) => {
    const { command, query } = database
    const { all, one } = scheduled.reading({ query })
    const insert = command(scheduled.insert)
    const replace = command(scheduled.replace)
    const count = query<{ readonly count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM scheduled_sends WHERE tenant_id = ? AND state = 'scheduled' LIMIT ?) AS waiting`
    )
    const list = (contact: string) =>
      all(
        `SELECT ${scheduled.columns} FROM scheduled_sends
          WHERE tenant_id = ? ${contact} AND state = ? AND (send_at, message_id) > (?, ?)
          ORDER BY send_at, message_id LIMIT ?`
      )
    const ofTenant = list("")
    const ofContact = list("AND contact_id = ?")
    const claim = makeClaim<ScheduledSend>(database, work, ({ messageId }) => messageId)
    const { wait, wakeAll, wakeOwn } = makeWakeUps(database, "scheduled")
    const wake = ({ dueAt, updatedAt }: ScheduledSend) => (dueAt > updatedAt ? wakeOwn : wakeAll)
    return ScheduledSends.of({
      insert: (send) => Effect.andThen(insert(...scheduled.values(send)), wake(send)),
      find: one(`SELECT ${scheduled.columns} FROM scheduled_sends WHERE tenant_id = ? AND message_id = ?`),
      findByKey: one(`SELECT ${scheduled.columns} FROM scheduled_sends WHERE tenant_id = ? AND send_key = ?`),
      replace: (send) => Effect.andThen(replace(...scheduled.changes(send)), wake(send)),
      count: (tenantId, maxCount) => Effect.map(count(tenantId, maxCount), (rows) => Number(first(rows)?.count ?? 0)),
      page: (tenantId, { contactId, state }, limit, after) => {
        const { messageId, sendAt } = after ?? { sendAt: oldest, messageId: "" }
        return contactId === null
          ? ofTenant(tenantId, state, sendAt, messageId, limit)
          : ofContact(tenantId, contactId, state, sendAt, messageId, limit)
      },
      claim: (limit, now, leaseUntil) =>
        Effect.map(claim(limit, now, leaseUntil), (rows) => rows.map((row) => scheduled.fromRow(row))),
      wait
    })
  })
)
