/**
 * Repositories of outbound events, their subscriptions and deliveries, of jobs and of provider events. HTTP belongs in
 * `packages/connectors`. Tests: `packages/testkit/src/suite/webhook`.
 */
import { Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import { never, Subscription, SubscriptionNotFound } from "@leadloom/core/internal/domain/webhook/Subscription"
import { Effect, Layer } from "effect"
import { Database, type DatabaseShape } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const subscriptions = table(Subscription, { name: "webhook_subscriptions", key: ["tenantId", "webhookId"] })

interface Candidate {
  readonly tenantId: string
  readonly webhookId: string
  readonly ailing: number
}

const isBehind = `webhook_subscriptions.status = 'active' AND webhook_subscriptions."position" < t.last_sequence`

const somebodyIsBehind = `CASE WHEN EXISTS (SELECT 1 FROM webhook_subscriptions
  WHERE webhook_subscriptions.tenant_id = t.tenant_id AND ${isBehind}) THEN 1 ELSE 0 END`

/**
 * Records in the tenant's row of `event_sequences` whether an active subscription has events to receive, so that a
 * claim reads only the subscriptions of such tenants. `Events.append` updates the row too. Run this statement in the
 * unit of work that changes a subscription. Only one unit of a tenant runs at a time, so no event is appended in
 * between.
 */
const markText = `UPDATE event_sequences AS t
  SET waiting = ${somebodyIsBehind} WHERE t.tenant_id = ? AND t.waiting <> ${somebodyIsBehind}`

/**
 * Selects subscriptions with undelivered events or with a retry that is due. The statement begins with SELECT, so it
 * uses the read connection. The result starts with the subscriptions whose last lease is oldest. A subscription with a
 * failing or slow receiver counts as ailing. If no place for ailing subscriptions is left, the statement skips them;
 * otherwise they would fill the result and hide the healthy ones.
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

/**
 * The number of selected candidates per requested subscription. More than one is needed, because the first candidates
 * may all be ailing.
 */
const candidates = 4

const claiming = ({ by, query, sql, tuples }: DatabaseShape) => {
  const { all } = subscriptions.reading({ query })
  const look = query<Candidate>(lookText(by))
  const locked = sql.onDialectOrElse({ pg: () => "FOR UPDATE OF w SKIP LOCKED", orElse: () => "" })
  const claimRows = all(
    `UPDATE webhook_subscriptions SET lease = ?, lease_until = ? WHERE (tenant_id, webhook_id) IN
      (SELECT w.tenant_id, w.webhook_id FROM ${tuples} CROSS JOIN webhook_subscriptions w
        WHERE w.tenant_id = item.value ->> 0 AND w.webhook_id = item.value ->> 1 AND w.lease_until <= ? ${locked})
      RETURNING ${subscriptions.columns}`
  )
  return { look, claimRows }
}

/**
 * Releases all leases on SQLite. Only one process opens the file, so the processes that held older leases have ended.
 */
const releaseLeases = ({ sql }: DatabaseShape): Effect.Effect<void> =>
  sql.onDialectOrElse({
    pg: () => Effect.void,
    orElse: () => Effect.ignore(sql.unsafe("UPDATE webhook_subscriptions SET lease_until = 0 WHERE lease_until > 0"))
  })

/** Stores subscriptions in SQL. */
export const layer: Layer.Layer<Subscriptions, never, Database> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const database = yield* Database
    yield* releaseLeases(database)
    const { command, query, whole } = database
    const { all, one } = subscriptions.reading({ query })
    const { look, claimRows } = claiming(database)
    const list = all(
      `SELECT ${subscriptions.columns} FROM webhook_subscriptions WHERE tenant_id = ? ORDER BY created_at, webhook_id`
    )
    const find = one(
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
    const renew = one(
      `UPDATE webhook_subscriptions SET lease_until = ? WHERE tenant_id = ? AND webhook_id = ? AND lease = ?
        RETURNING ${subscriptions.columns}`
    )
    return Subscriptions.of({
      list,
      get: Effect.fnUntraced(function* (tenantId, webhookId) {
        return (yield* find(tenantId, webhookId)) ?? (yield* new SubscriptionNotFound({ webhookId }))
      }),
      insert: (subscription) =>
        whole(Effect.andThen(insert(...subscriptions.values(subscription)), mark(subscription.tenantId))),
      update: (subscription) =>
        whole(Effect.andThen(replace(...subscriptions.changes(subscription)), mark(subscription.tenantId))),
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
        return yield* claimRows(lease, leaseUntil, JSON.stringify(ids), now)
      }),
      renew: ({ tenantId, webhookId }, lease, leaseUntil) => renew(leaseUntil, tenantId, webhookId, lease)
    })
  })
)
