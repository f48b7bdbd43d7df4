import { Subscriptions } from "@leadloom/core/port/Subscriptions"
import type { EventType } from "@leadloom/core/webhook/Event"
import { never, type Subscription, SubscriptionNotFound } from "@leadloom/core/webhook/Subscription"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readArray } from "./Json.ts"
import { first, queries } from "./Queries.ts"
import { table } from "./Table.ts"

interface SubscriptionRow extends Omit<Subscription, "eventTypes" | "ailing"> {
  readonly eventTypes: string
  readonly ailing: number
}

const subscriptions = table<SubscriptionRow>(
  "webhook_subscriptions",
  {
    tenantId: "tenant_id",
    webhookId: "webhook_id",
    url: "url",
    description: "description",
    eventTypes: "event_types",
    maxInFlight: "max_in_flight",
    status: "status",
    inactiveReason: "inactive_reason",
    secret: "secret",
    formerSecret: "former_secret",
    formerSecretUntil: "former_secret_until",
    consecutiveFailures: "consecutive_failures",
    ailing: "ailing",
    position: '"position"',
    retryAt: "retry_at",
    nextAt: "next_at",
    lastSuccessAt: "last_success_at",
    lastFailureAt: "last_failure_at",
    createdAt: "created_at",
    updatedAt: "updated_at"
  },
  ["tenantId", "webhookId"]
)

const fromRow = ({ ailing, eventTypes, ...row }: SubscriptionRow): Subscription => ({
  ...row,
  eventTypes: readArray<EventType>(eventTypes),
  ailing: ailing === 1
})

const toRow = ({ ailing, eventTypes, ...subscription }: Subscription): SubscriptionRow => ({
  ...subscription,
  eventTypes: JSON.stringify(eventTypes),
  ailing: ailing ? 1 : 0
})

interface Candidate {
  readonly tenantId: string
  readonly webhookId: string
  readonly ailing: number
}

/**
 * Goes through the subscriptions of all tenants, 50 each at most, with a search for the last number of each tenant. It
 * begins with SELECT and so reads beside the writer. Those that have something to send and that nobody has held for the
 * longest come first.
 */
const lookText = `SELECT s.tenant_id AS "tenantId", s.webhook_id AS "webhookId", s.ailing AS ailing
  FROM webhook_subscriptions s WHERE s.lease_until <= ? AND s.next_at <= ? AND s.next_at < ${never}
    AND (s.status = 'paused' OR s.retry_at <= ? OR s."position" < (SELECT t.last_sequence FROM event_sequences t
      WHERE t.tenant_id = s.tenant_id))
  ORDER BY s.lease_until, s.tenant_id, s.webhook_id LIMIT ?`

/** How many candidates are looked at for each that is wanted: the first may all be ailing. */
const candidates = 4

const claiming = (sql: SqlClient) => {
  const { query, tuples } = queries(sql)
  const look = query<Candidate>(lookText)
  const locked = sql.onDialectOrElse({ pg: () => "FOR UPDATE OF w SKIP LOCKED", orElse: () => "" })
  const take = query<SubscriptionRow>(
    `UPDATE webhook_subscriptions SET lease = ?, lease_until = ? WHERE (tenant_id, webhook_id) IN
      (SELECT w.tenant_id, w.webhook_id FROM ${tuples} CROSS JOIN webhook_subscriptions w
        WHERE w.tenant_id = item.value ->> 0 AND w.webhook_id = item.value ->> 1 AND w.lease_until <= ? ${locked})
      RETURNING ${subscriptions.columns}`
  )
  return { look, take }
}

/** A process that opens a SQLite file is alone with it: who held a subscription before is dead. */
const takeBack = (sql: SqlClient): Effect.Effect<void> =>
  sql.onDialectOrElse({
    pg: () => Effect.void,
    orElse: () => Effect.ignore(sql.unsafe("UPDATE webhook_subscriptions SET lease_until = 0 WHERE lease_until > 0"))
  })

/** Receivers of outbound events in SQL. */
export const layer: Layer.Layer<Subscriptions, never, SqlClient> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* takeBack(sql)
    const { command, query, whole } = queries(sql)
    const { look, take } = claiming(sql)
    const list = query<SubscriptionRow>(
      `SELECT ${subscriptions.columns} FROM webhook_subscriptions WHERE tenant_id = ? ORDER BY created_at, webhook_id`
    )
    const find = query<SubscriptionRow>(
      `SELECT ${subscriptions.columns} FROM webhook_subscriptions WHERE tenant_id = ? AND webhook_id = ?`
    )
    const insert = command(subscriptions.insert)
    const replace = command(subscriptions.replace)
    const removeRows = ["webhook_deliveries", "webhook_log"].map((name) =>
      command(`DELETE FROM ${name} WHERE tenant_id = ? AND webhook_id = ?`)
    )
    const remove = query(
      "DELETE FROM webhook_subscriptions WHERE tenant_id = ? AND webhook_id = ? RETURNING webhook_id"
    )
    const renew = query<SubscriptionRow>(
      `UPDATE webhook_subscriptions SET lease_until = ? WHERE tenant_id = ? AND webhook_id = ? AND lease = ?
        RETURNING ${subscriptions.columns}`
    )
    return Subscriptions.of({
      list: (tenantId) => Effect.map(list(tenantId), (rows) => rows.map(fromRow)),
      get: Effect.fnUntraced(function* (tenantId, webhookId) {
        const row = first(yield* find(tenantId, webhookId))
        return row === null ? yield* new SubscriptionNotFound({ webhookId }) : fromRow(row)
      }),
      insert: (subscription) => insert(...subscriptions.values(toRow(subscription))),
      update: (subscription) => replace(...subscriptions.changes(toRow(subscription))),
      remove: (tenantId, webhookId) =>
        whole(
          Effect.gen(function* () {
            for (const removeRow of removeRows) yield* removeRow(tenantId, webhookId)
            return (yield* remove(tenantId, webhookId)).length > 0
          })
        ),
      claim: Effect.fnUntraced(function* ({ ailing, lease, leaseUntil, limit, now }) {
        if (limit < 1) return []
        let left = ailing
        const found = yield* look(now, now, now, limit * candidates)
        const wanted = found.filter((one) => one.ailing === 0 || left-- > 0).slice(0, limit)
        if (wanted.length === 0) return []
        const ids = wanted.map(({ tenantId, webhookId }) => [tenantId, webhookId])
        return (yield* take(lease, leaseUntil, JSON.stringify(ids), now)).map(fromRow)
      }),
      renew: ({ tenantId, webhookId }, lease, leaseUntil) =>
        Effect.map(renew(leaseUntil, tenantId, webhookId, lease), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        })
    })
  })
)
