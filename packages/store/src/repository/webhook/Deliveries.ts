import { Deliveries } from "@leadloom/core/internal/port/repository/webhook/Deliveries"
import { type LogEntry, DeliveryRow } from "@leadloom/core/internal/domain/webhook/Delivery"
import { never } from "@leadloom/core/internal/domain/webhook/Subscription"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readArray } from "../../sql/Json.ts"
import { first, type Queries } from "../../sql/Queries.ts"
import { table, type Reading } from "../../sql/Table.ts"

const deliveries = table(DeliveryRow, { name: "webhook_deliveries", key: ["tenantId", "webhookId", "sequence"] })

type Logged = readonly [sequence: number, at: number, status: number, millis: number]

const ofWebhook = "tenant_id = ? AND webhook_id = ?"

/** The statements for pending deliveries, which a worker retries. */
const trying = ({ by, command, query }: Queries) => {
  const { one } = deliveries.reading({ query })
  const pending = `${ofWebhook} AND status = 'pending'`
  return {
    due: one(
      `SELECT ${deliveries.columns} FROM webhook_deliveries ${by("webhook_deliveries_status")}
        WHERE ${pending} AND due_at <= ? ORDER BY sequence LIMIT 1`
    ),
    nextDue: query<{ readonly dueAt: number }>(
      `SELECT due_at AS "dueAt" FROM webhook_deliveries ${by("webhook_deliveries_due")} WHERE ${pending}
        ORDER BY due_at LIMIT 1`
    ),
    restart: command(
      `UPDATE webhook_deliveries ${by("webhook_deliveries_due")} SET due_at = ?, tries = 0 WHERE ${pending}`
    ),
    giveUp: command(
      `UPDATE webhook_deliveries ${by("webhook_deliveries_due")} SET status = 'failed', due_at = ${never}, updated_at = ?
        WHERE ${pending}`
    ),
    recover: query(
      `UPDATE webhook_deliveries SET status = 'pending', due_at = ?, tries = 0, updated_at = ?
        WHERE ${ofWebhook} AND status = 'failed' AND sequence >= ? RETURNING sequence`
    )
  }
}

const reading = ({ query }: Queries, { all, one }: Reading<DeliveryRow>) => ({
  find: one(`SELECT ${deliveries.columns} FROM webhook_deliveries WHERE ${ofWebhook} AND sequence = ?`),
  rows: all(
    `SELECT ${deliveries.columns} FROM webhook_deliveries WHERE ${ofWebhook} AND sequence < ?
      ORDER BY sequence DESC LIMIT ?`
  ),
  rowsOfStatus: all(
    `SELECT ${deliveries.columns} FROM webhook_deliveries WHERE ${ofWebhook} AND status = ? AND sequence < ?
      ORDER BY sequence DESC LIMIT ?`
  ),
  logged: query<{ readonly entries: string }>(
    `SELECT entries FROM webhook_log WHERE ${ofWebhook} AND first_sequence < ? ORDER BY first_sequence DESC LIMIT ?`
  )
})

const entryOf = ([sequence, at, status, millis]: Logged): LogEntry => ({ sequence, at, status, millis })

/** Stores deliveries of outbound events in SQL. */
export const layer: Layer.Layer<Deliveries, never, Database> = Layer.effect(
  Deliveries,
  Effect.map(Database, (all) => {
    const { due, giveUp, nextDue, recover, restart } = trying(all)
    const { find, logged, rows, rowsOfStatus } = reading(all, deliveries.reading(all))
    const put = all.command(
      `${deliveries.insert} ON CONFLICT (tenant_id, webhook_id, sequence) DO UPDATE SET status = excluded.status,
        due_at = excluded.due_at, tries = excluded.tries, attempts = excluded.attempts, updated_at = excluded.updated_at`
    )
    const log = all.command(
      `INSERT INTO webhook_log (tenant_id, webhook_id, first_sequence, entries) VALUES (?, ?, ?, ?)
        ON CONFLICT (tenant_id, webhook_id, first_sequence) DO UPDATE SET entries = excluded.entries`
    )
    return Deliveries.of({
      find: ({ tenantId, webhookId }, sequence) => find(tenantId, webhookId, sequence),
      put: (row) => put(...deliveries.values(row)),
      log: ({ tenantId, webhookId }, entries) => {
        const [oldest] = entries
        if (oldest === undefined) return Effect.void
        const page = entries.map(({ at, millis, sequence, status }): Logged => [sequence, at, status, millis])
        return log(tenantId, webhookId, oldest.sequence, JSON.stringify(page))
      },
      due: ({ tenantId, webhookId }, time) => due(tenantId, webhookId, time),
      nextDue: ({ tenantId, webhookId }) =>
        Effect.map(nextDue(tenantId, webhookId), (found) => first(found)?.dueAt ?? never),
      restart: ({ tenantId, webhookId }, now) => restart(now, tenantId, webhookId),
      giveUp: ({ tenantId, webhookId }, now) => giveUp(now, tenantId, webhookId),
      recover: ({ tenantId, webhookId }, from, now) =>
        Effect.map(recover(now, now, tenantId, webhookId, from), (found) => found.length),
      rows: ({ tenantId, webhookId }, { before, limit, status }) =>
        status === null
          ? rows(tenantId, webhookId, before, limit)
          : rowsOfStatus(tenantId, webhookId, status, before, limit),
      // Each row has at least one log entry, so `limit` rows contain enough entries.
      logged: ({ tenantId, webhookId }, { before, limit }) =>
        Effect.map(logged(tenantId, webhookId, before, limit), (found) =>
          found
            .flatMap(({ entries }) => readArray<Logged>(entries).map(entryOf).toReversed())
            .filter(({ sequence }) => sequence < before)
            .slice(0, limit)
        )
    })
  })
)
