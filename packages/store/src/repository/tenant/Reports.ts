import { type FollowedMessage, type FollowedRun, ReportCount } from "@leadloom/core/internal/domain/report/Report"
import type { StoredResult } from "@leadloom/core/internal/domain/run/StoredRun"
import { Reports, type StreamRange } from "@leadloom/core/internal/port/repository/tenant/Reports"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readObject } from "../../sql/Json.ts"
import { first, type Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const counters = table(ReportCount, {
  name: "report_counts",
  key: ["tenantId", "metric", "day", "channel", "userId", "source", "detail"]
})

const keyColumns = "tenant_id, metric, day, channel, user_id, source, detail"

/**
 * The time of the contact's first message since the tenant's previous one. Only messages with smaller ids count, so the
 * result does not depend on the time of the query.
 */
const waitingSince = `(SELECT min(c."timestamp") FROM messages c
  WHERE c.tenant_id = m.tenant_id AND c.contact_id = m.contact_id AND c.actor = 'contact' AND c.auto IS NULL
    AND c.message_id < m.message_id AND c."timestamp" <= m."timestamp"
    AND c."timestamp" > coalesce((SELECT max(o."timestamp") FROM messages o
      WHERE o.tenant_id = m.tenant_id AND o.contact_id = m.contact_id AND o.actor IN ('agent', 'assistant')
        AND o.auto IS NULL AND o.message_id < m.message_id AND o."timestamp" <= m."timestamp"), -1))`

type RunRow = Omit<FollowedRun, "reply"> & { readonly result: string }

const replyOf = (text: string): string => {
  const { steps } = readObject<StoredResult>(text)
  const step = steps.find((one) => one.step === "reply")
  if (step === undefined) return ""
  const reason = step.reasonData?.code
  return reason === undefined ? step.outcome : `${step.outcome}:${reason}`
}

/** The statements that read the counted rows. */
const streams = ({ query }: Queries) => {
  const messages = query<FollowedMessage>(
    `SELECT message_id AS id, channel, actor, user_id AS "userId", source, "timestamp",
        CASE WHEN actor IN ('agent', 'assistant') THEN ${waitingSince} END AS "waitingSince"
      FROM messages m WHERE tenant_id = ? AND message_id > ? AND message_id < ? AND auto IS NULL
      ORDER BY message_id LIMIT ?`
  )
  const runs = query<RunRow>(
    `SELECT r.run_id AS id, m.channel, m.source, r.created_at AS "createdAt", CAST(r.result AS text) AS result
      FROM runs r JOIN messages m ON m.tenant_id = r.tenant_id AND m.message_id = r.message_id
      WHERE r.tenant_id = ? AND r.run_id > ? AND r.run_id < ? ORDER BY r.run_id LIMIT ?`
  )
  const paramsOf = (tenantId: string, { after, before, limit }: StreamRange) =>
    [tenantId, after, before, limit] as const
  return {
    messages: (tenantId: string, range: StreamRange) => messages(...paramsOf(tenantId, range)),
    runs: (tenantId: string, range: StreamRange) =>
      Effect.map(runs(...paramsOf(tenantId, range)), (rows) =>
        rows.map(({ result, ...run }): FollowedRun => ({ ...run, reply: replyOf(result) }))
      )
  }
}

/** Stores the counters of reports in SQL. */
export const layer: Layer.Layer<Reports, never, Database> = Layer.effect(
  Reports,
  Effect.map(Database, (database) => {
    const { command, commandEach, isOneOf, query, whole } = database
    const { all } = counters.reading(database)
    const position = query<{ readonly position: string }>(
      "SELECT position FROM report_positions WHERE tenant_id = ? AND stream = ?"
    )
    const move = command(
      `INSERT INTO report_positions (tenant_id, stream, position) VALUES (?, ?, ?)
        ON CONFLICT (tenant_id, stream) DO UPDATE SET position = excluded.position`
    )
    const add = commandEach(
      `${counters.insert} ON CONFLICT (${keyColumns}) DO UPDATE
        SET "count" = report_counts."count" + excluded."count", seconds = report_counts.seconds + excluded.seconds`
    )
    const forget = [
      command("DELETE FROM report_counts WHERE tenant_id = ?"),
      command("DELETE FROM report_positions WHERE tenant_id = ?")
    ]
    const counts = all(
      `SELECT ${counters.columns} FROM report_counts
        WHERE tenant_id = ? AND ${isOneOf("metric")} AND day >= ? AND day <= ?`
    )
    return Reports.of({
      ...streams(database),
      position: (tenantId, stream) => Effect.map(position(tenantId, stream), (rows) => first(rows)?.position ?? ""),
      add: (tenantId, stream, last, tallies) =>
        whole(
          Effect.andThen(
            add(tallies.map((tally) => counters.values({ ...tally, tenantId }))),
            move(tenantId, stream, last)
          )
        ),
      reset: (tenantId) => whole(Effect.forEach(forget, (remove) => remove(tenantId), { discard: true })),
      counts: (tenantId, metrics, from, to) => counts(tenantId, JSON.stringify(metrics), from, to)
    })
  })
)
