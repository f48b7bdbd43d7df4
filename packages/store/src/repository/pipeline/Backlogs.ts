import { Backlogs, type Queue, type WaitingJobs } from "@leadloom/core/internal/port/repository/pipeline/Backlogs"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { never } from "@leadloom/core/internal/domain/webhook/Subscription"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import type { WorkTable } from "../../queue/Claim.ts"
import { work as jobs } from "../webhook/Jobs.ts"
import { work as calls } from "../webhook/WebhookCalls.ts"
import { first, type Queries } from "../../sql/Queries.ts"
import { work as sends } from "../conversation/Sends.ts"
import { work as signals } from "./Signals.ts"

/**
 * The number of tenants that one statement visits. The statement then takes about a millisecond, so it does not delay
 * other queries.
 */
const tenantsPerQuery = 512

/**
 * The maximum number of statements per queue. If there are more tenants than the statements visit, the count is a lower
 * bound.
 */
const maxStatements = 20

/**
 * The result of one statement. `next` is the tenant with which the next statement starts; null after the last tenant.
 */
interface Found {
  readonly due: number
  readonly since: number | null
}

interface Look extends Found {
  readonly next: string | null
}

/**
 * Visits tenant after tenant in the index of open work (like `Claim`), and counts the due rows of a tenant in the
 * following row of the result. After `max` due rows, it only looks for the oldest one.
 */
const lookText = ({ name, open }: WorkTable, index: string): string => {
  const due = `FROM ${name} AS w ${index} WHERE ${open} AND w.tenant_id = walk.tenant_id AND w.due_at <= ?`
  return `SELECT max(due) AS due, min(since) AS since,
      max(CASE WHEN step = ${tenantsPerQuery} THEN tenant_id END) AS next FROM (
    WITH RECURSIVE walk (tenant_id, due, since, step) AS (
      SELECT (SELECT tenant_id FROM ${name} ${index} WHERE ${open} AND tenant_id >= ? ORDER BY tenant_id LIMIT 1),
        CAST(0 AS bigint), CAST(NULL AS bigint), 0
      UNION ALL
      SELECT (SELECT w.tenant_id FROM ${name} AS w ${index} WHERE ${open} AND w.tenant_id > walk.tenant_id
          ORDER BY w.tenant_id LIMIT 1),
        walk.due + CASE WHEN walk.due < ? THEN (SELECT count(*) FROM (SELECT 1 ${due} LIMIT ?) AS found) ELSE 0 END,
        (SELECT w.due_at ${due} ORDER BY w.due_at LIMIT 1), walk.step + 1
        FROM walk WHERE walk.tenant_id IS NOT NULL AND walk.step < ${tenantsPerQuery})
    SELECT tenant_id, due, since, step FROM walk) AS walked`
}

const sum = (one: Found, other: Found): Found => ({
  due: one.due + other.due,
  since: one.since === null || other.since === null ? (one.since ?? other.since) : Math.min(one.since, other.since)
})

const nothing: Found = { due: 0, since: null }

type Count = (now: number, max: number) => Effect.Effect<Found, StoreUnavailable>

const countWork = ({ by, query }: Queries, work: WorkTable): Count => {
  const look = query<Look>(lookText(work, by(work.index)))
  return Effect.fnUntraced(function* (now: number, max: number) {
    let found = nothing
    let from: string | null = ""
    for (let looks = 0; from !== null && looks < maxStatements; looks++) {
      const room = Math.max(0, max - found.due)
      const seen: Look | null = first(yield* look(from, room, now, room, now))
      found = sum(found, seen ?? nothing)
      from = seen?.next ?? null
    }
    return found
  })
}

/** Counts events that subscriptions have not received yet, and postponed deliveries that are due. */
const countEvents = ({ by, query }: Queries): Count => {
  const behind = query<Found>(
    `SELECT CAST(coalesce(sum(behind), 0) AS bigint) AS due, min(since) AS since FROM (
      SELECT t.last_sequence - webhook_subscriptions."position" AS behind,
        (SELECT e."timestamp" FROM events e WHERE e.tenant_id = t.tenant_id
          AND e.sequence > webhook_subscriptions."position" ORDER BY e.sequence LIMIT 1) AS since
        FROM event_sequences AS t ${by("event_sequences_waiting")} CROSS JOIN webhook_subscriptions
        WHERE t.waiting = 1 AND webhook_subscriptions.tenant_id = t.tenant_id
          AND webhook_subscriptions.status = 'active' AND webhook_subscriptions."position" < t.last_sequence
        LIMIT ?) AS found`
  )
  const setAside = query<Found>(
    `SELECT count(*) AS due, min(due_at) AS since FROM (
      SELECT d.due_at FROM webhook_subscriptions ${by("webhook_subscriptions_waiting")} CROSS JOIN webhook_deliveries d
        WHERE webhook_subscriptions.next_at < ${never}
          AND (webhook_subscriptions.retry_at < ${never} OR webhook_subscriptions.status = 'paused')
          AND webhook_subscriptions.status = 'active' AND webhook_subscriptions.retry_at <= ?
          AND d.tenant_id = webhook_subscriptions.tenant_id AND d.webhook_id = webhook_subscriptions.webhook_id
          AND d.status = 'pending' AND d.due_at <= ? LIMIT ?) AS found`
  )
  return Effect.fnUntraced(function* (now, max) {
    const [late, again] = [first(yield* behind(max)), first(yield* setAside(now, now, max))]
    return sum(late ?? nothing, again ?? nothing)
  })
}

/** A job whose last attempt failed has a reason. */
const isFailedJob = "attempts > 0 AND reason IS NOT NULL"

/** Returns the queries for failed rows. The tables of finished work have an index of failed rows. */
const failures = ({ by, query }: Queries) => {
  const count = (text: string) =>
    query<{ readonly failed: number }>(`SELECT count(*) AS failed FROM (${text} LIMIT ?) AS found`)
  const ended = (table: string) =>
    count(`SELECT 1 FROM ${table} ${by(`${table}_failed`)} WHERE state = 'failed' AND ended_at >= ?`)
  const jobs = count(`SELECT 1 FROM jobs ${by("jobs_failed")} WHERE ${isFailedJob}`)
  const calls = count("SELECT 1 FROM (SELECT tries FROM webhook_calls LIMIT ?) AS held WHERE tries > 0")
  const counts: ReadonlyArray<readonly [Queue, (since: number, max: number) => ReturnType<typeof jobs>]> = [
    ["signals", ended("signals")],
    ["sends", ended("sends")],
    ["jobs", (_, max) => jobs(max)],
    [
      "events",
      count(
        `SELECT 1 FROM webhook_deliveries ${by("webhook_deliveries_failed")} WHERE status = 'failed' AND updated_at >= ?`
      )
    ],
    ["webhook_calls", (_, max) => calls(max, max)]
  ]
  return counts
}

/** Counts jobs by kind. The subquery bounds the work. */
const jobsByKind = `SELECT job ->> 'kind' AS kind, count(*) AS waiting,
    CAST(sum(CASE WHEN attempts > 0 AND reason IS NOT NULL THEN 1 ELSE 0 END) AS bigint) AS failed,
    min(created_at) AS since
  FROM (SELECT job, attempts, reason, created_at FROM jobs LIMIT ?) AS found GROUP BY job ->> 'kind' ORDER BY 1`

/** Measures the backlog of the workers in SQL. All statements begin with SELECT, so they use the read connection. */
export const layer: Layer.Layer<Backlogs, never, Database> = Layer.effect(
  Backlogs,
  Effect.map(Database, (requesting) => {
    const counts: ReadonlyArray<readonly [Queue, Count]> = [
      ["signals", countWork(requesting, signals)],
      ["sends", countWork(requesting, sends)],
      ["jobs", countWork(requesting, jobs)],
      ["events", countEvents(requesting)],
      ["webhook_calls", countWork(requesting, calls)]
    ]
    const failed = failures(requesting)
    const byKind = requesting.query<WaitingJobs>(jobsByKind)
    return Backlogs.of({
      failed: (since, max) =>
        Effect.forEach(failed, ([queue, count]) =>
          Effect.map(count(since, max), (rows) => ({ queue, failed: first(rows)?.failed ?? 0 }))
        ),
      jobs: byKind,
      read: (now, max) =>
        Effect.forEach(counts, ([queue, count]) =>
          Effect.map(count(now, max), ({ due, since }) => ({ queue, due: Math.min(due, max), since }))
        )
    })
  })
)
