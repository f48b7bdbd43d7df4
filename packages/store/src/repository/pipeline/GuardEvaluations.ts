import { type GuardCount, guardDay, GuardRecord } from "@leadloom/core/internal/domain/guardrail/GuardRecord"
import { guardOutcomes } from "@leadloom/core/internal/domain/guardrail/Guardrail"
import { type GuardFilter, GuardEvaluations } from "@leadloom/core/internal/port/repository/pipeline/GuardEvaluations"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import type { Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const evaluations = table(GuardRecord, { name: "guard_evaluations", key: ["tenantId", "evaluationId"] })

/** A text that sorts after every id. */
const beyond = "~"

const writing = ({ command, tuples, whole }: Queries) => {
  const insert = command(
    `INSERT INTO guard_evaluations (tenant_id, evaluation_id, stage, signal_id, message_id, contact_id, created_at,
        guardrail_id, kind, outcome, reason)
      SELECT ?, item.value ->> 0, item.value ->> 1, item.value ->> 2, item.value ->> 3, item.value ->> 4,
        CAST(item.value ->> 5 AS bigint), item.value ->> 6, item.value ->> 7, item.value ->> 8, item.value ->> 9
      FROM ${tuples}`
  )
  const count = command(
    `INSERT INTO guard_counts (tenant_id, day, guardrail_id, kind, outcome, count)
      SELECT ?, item.value ->> 0, item.value ->> 1, item.value ->> 2, item.value ->> 3, count(*) FROM ${tuples} WHERE true
        GROUP BY 2, 3, 4, 5
      ON CONFLICT (tenant_id, day, guardrail_id, kind, outcome)
        DO UPDATE SET count = guard_counts.count + excluded.count`
  )
  return (tenantId: string, records: ReadonlyArray<GuardRecord>) => {
    if (records.length === 0) return Effect.void
    const rows = records.map((one) => [
      one.evaluationId,
      one.stage,
      one.signalId,
      one.messageId,
      one.contactId,
      one.createdAt,
      one.guardrailId,
      one.kind,
      one.outcome,
      one.reason
    ])
    const counted = records.map((one) => [guardDay(one.createdAt), one.guardrailId, one.kind, one.outcome])
    return whole(Effect.andThen(insert(tenantId, JSON.stringify(rows)), count(tenantId, JSON.stringify(counted))))
  }
}

/** The statements for pages, newest first. Every filter has an index in this order. */
const paging = ({ by, query }: Queries) => {
  const read = (condition: string, index: string | null) =>
    query<GuardRecord>(
      `SELECT ${evaluations.columns} FROM guard_evaluations ${index === null ? "" : by(`guard_evaluations_${index}`)}
        WHERE tenant_id = ? ${condition} AND evaluation_id < ? ORDER BY evaluation_id DESC LIMIT ?`
    )
  const all = read("", null)
  const ofContact = read(
    "AND contact_id = ? AND guardrail_id = coalesce(?, guardrail_id) AND outcome = coalesce(?, outcome)",
    "contact"
  )
  const ofOutcome = read("AND outcome = ?", "outcome")
  const ofGuardrail = read("AND guardrail_id = ? AND outcome = ?", "guardrail")
  return Effect.fnUntraced(function* (tenantId: string, filter: GuardFilter, limit: number, after: string | null) {
    const { contactId, guardrailId, outcome } = filter
    const end = [after ?? beyond, limit] as const
    if (contactId !== null) return yield* ofContact(tenantId, contactId, guardrailId, outcome, ...end)
    if (guardrailId === null)
      return yield* outcome === null ? all(tenantId, ...end) : ofOutcome(tenantId, outcome, ...end)
    // The index includes the outcome, so that a page of a rare outcome does not read all other rows.
    const found = yield* Effect.forEach(outcome === null ? guardOutcomes : [outcome], (one) =>
      ofGuardrail(tenantId, guardrailId, one, ...end)
    )
    return found
      .flat()
      .toSorted((one, other) => (one.evaluationId < other.evaluationId ? 1 : -1))
      .slice(0, limit)
  })
}

/** Stores the evaluations of guardrails in SQL. */
export const layer: Layer.Layer<GuardEvaluations, never, Database> = Layer.effect(
  GuardEvaluations,
  Effect.map(Database, (all) => {
    const counts = all.query<GuardCount>(
      `SELECT guardrail_id AS "guardrailId", kind, outcome, CAST(sum(count) AS bigint) AS count FROM guard_counts
        WHERE tenant_id = ? AND day >= ? AND day <= ? GROUP BY guardrail_id, kind, outcome
        ORDER BY guardrail_id, kind, CASE outcome WHEN 'allow' THEN 1 WHEN 'require_approval' THEN 2 ELSE 3 END`
    )
    return GuardEvaluations.of({
      insert: writing(all),
      page: paging(all),
      counts: (tenantId, first, last) =>
        Effect.map(counts(tenantId, first, last), (rows) =>
          rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }))
        )
    })
  })
)
