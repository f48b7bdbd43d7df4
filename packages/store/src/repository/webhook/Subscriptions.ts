import { Subscriptions } from "@leadloom/core/port/repository/webhook/Subscriptions"
import type { EventType } from "@leadloom/core/domain/webhook/Event"
import { never, type Subscription, SubscriptionNotFound } from "@leadloom/core/domain/webhook/Subscription"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readArray } from "../../sql/Json.ts"
import { first, queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

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

const isBehind = `webhook_subscriptions.status = 'active' AND webhook_subscriptions."position" < t.last_sequence`

const somebodyIsBehind = `CASE WHEN EXISTS (SELECT 1 FROM webhook_subscriptions
  WHERE webhook_subscriptions.tenant_id = t.tenant_id AND ${isBehind}) THEN 1 ELSE 0 END`

/**
 * Keeps in the tenant's row of `event_sequences` whether an active subscription is behind, so that only such tenants are
 * looked at; an append says so by itself (`Events.append`). In the unit of work that has changed a subscription: units of
 * a tenant take turns, so nobody appends between the two.
 */
const markText = `UPDATE event_sequences AS t
  SET waiting = ${somebodyIsBehind} WHERE t.tenant_id = ? AND t.waiting <> ${somebodyIsBehind}`

/**
 * Goes through the subscriptions of tenants whose events somebody is still to be told of, and those that wait for a time:
 * what has nothing to do is not looked at. It begins with SELECT and so reads beside the writer. Those that have something
 * to send and that nobody has held for the longest come first; where there is no room for the ailing they are passed over,
 * or those that wait would fill the look and hide everybody behind them.
 */
const lookText = (by: (index: string) => string): string => {
  const columns = ["tenant_id", "webhook_id", "ailing", "lease_until", "next_at"]
    .map((name) => `webhook_subscriptions.${name}`)
    .join(", ")
  return `SELECT found.tenant_id AS "tenantId", found.webhook_id AS "webhookId", found.ailing AS ailing FROM (
    SELECT ${columns} FROM event_sequences AS t ${by("event_sequences_waiting")} CROSS JOIN webhook_subscriptions
      WHERE t.waiting = 1 AND webhook_subscriptions.tenant_id = t.tenant_id AND ${isBehind}
    UNION SELECT ${columns} FROM webhook_subscriptions ${by("webhook_subscriptions_waiting")}
      WHERE next_at < ${never} AND (retry_at < ${never} OR status = 'paused')
        AND (status = 'paused' OR retry_at <= ?)) AS found
  WHERE found.lease_until <= ? AND found.next_at <= ? AND found.next_at < ${never} AND (found.ailing = 0 OR ? > 0)
  ORDER BY found.lease_until, found.tenant_id, found.webhook_id LIMIT ?`
}

/** How many candidates are looked at for each that is wanted: the first may all be ailing. */
const candidates = 4

const claiming = (sql: SqlClient) => {
  const { by, query, tuples } = queries(sql)
  const look = query<Candidate>(lookText(by))
  const locked = sql.onDialectOrElse({ pg: () => "FOR UPDATE OF w SKIP LOCKED", orElse: () => "" })
  const claimRows = query<SubscriptionRow>(
    `UPDATE webhook_subscriptions SET lease = ?, lease_until = ? WHERE (tenant_id, webhook_id) IN
      (SELECT w.tenant_id, w.webhook_id FROM ${tuples} CROSS JOIN webhook_subscriptions w
        WHERE w.tenant_id = item.value ->> 0 AND w.webhook_id = item.value ->> 1 AND w.lease_until <= ? ${locked})
      RETURNING ${subscriptions.columns}`
  )
  return { look, claimRows }
}

/** A process that opens a SQLite file is alone with it: who held a subscription before is dead. */
const releaseLeases = (sql: SqlClient): Effect.Effect<void> =>
  sql.onDialectOrElse({
    pg: () => Effect.void,
    orElse: () => Effect.ignore(sql.unsafe("UPDATE webhook_subscriptions SET lease_until = 0 WHERE lease_until > 0"))
  })

/** Receivers of outbound events in SQL. */
export const layer: Layer.Layer<Subscriptions, never, SqlClient> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* releaseLeases(sql)
    const { command, query, whole } = queries(sql)
    const { look, claimRows } = claiming(sql)
    const list = query<SubscriptionRow>(
      `SELECT ${subscriptions.columns} FROM webhook_subscriptions WHERE tenant_id = ? ORDER BY created_at, webhook_id`
    )
    const find = query<SubscriptionRow>(
      `SELECT ${subscriptions.columns} FROM webhook_subscriptions WHERE tenant_id = ? AND webhook_id = ?`
    )
    const insert = command(subscriptions.insert)
    const replace = command(subscriptions.replace)
    const mark = command(markText)
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
      insert: (subscription) =>
        whole(Effect.andThen(insert(...subscriptions.values(toRow(subscription))), mark(subscription.tenantId))),
      update: (subscription) =>
        whole(Effect.andThen(replace(...subscriptions.changes(toRow(subscription))), mark(subscription.tenantId))),
      remove: (tenantId, webhookId) =>
        whole(
          Effect.gen(function* () {
            for (const removeRow of removeRows) yield* removeRow(tenantId, webhookId)
            const removed = (yield* remove(tenantId, webhookId)).length > 0
            yield* mark(tenantId)
            return removed
          })
        ),
      claim: Effect.fnUntraced(function* ({ ailing, lease, leaseUntil, limit, now }) {
        if (limit < 1) return []
        let left = ailing
        const found = yield* look(now, now, now, ailing, limit * candidates)
        const wanted = found.filter((one) => one.ailing === 0 || left-- > 0).slice(0, limit)
        if (wanted.length === 0) return []
        const ids = wanted.map(({ tenantId, webhookId }) => [tenantId, webhookId])
        return (yield* claimRows(lease, leaseUntil, JSON.stringify(ids), now)).map(fromRow)
      }),
      renew: ({ tenantId, webhookId }, lease, leaseUntil) =>
        Effect.map(renew(leaseUntil, tenantId, webhookId, lease), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        })
    })
  })
)
