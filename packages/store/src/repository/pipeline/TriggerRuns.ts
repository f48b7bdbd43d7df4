import { TriggerRun, type TriggerRunFilter } from "@leadloom/core/internal/domain/run/TriggerRun"
import { TriggerRuns } from "@leadloom/core/internal/port/repository/pipeline/TriggerRuns"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { makeClaim, type WorkTable } from "../../queue/Claim.ts"
import { makeWakeUps } from "../../queue/WakeUps.ts"
import type { Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const runs = table(TriggerRun, { name: "trigger_runs", key: ["tenantId", "triggerRunId"] })

/** The work table of trigger runs. A claim only delays the next one: the unit of work decides. */
export const work: WorkTable = {
  name: "trigger_runs",
  id: "trigger_run_id",
  open: "state = 'waiting'",
  index: "trigger_runs_due",
  changes: "attempts = attempts + 1",
  columns: runs.columns
}

/** A text that sorts after every id. */
const beyond = "~"

/** The statements for pages, newest first. */
const paging = ({ by, query }: Queries) => {
  const read = (condition: string, index: string | null) =>
    runs.reading({ query }).all(
      `SELECT ${runs.columns} FROM trigger_runs ${index === null ? "" : by(`trigger_runs_${index}`)}
        WHERE tenant_id = ? ${condition} AND trigger_run_id < ? ORDER BY trigger_run_id DESC LIMIT ?`
    )
  const all = read("", null)
  const ofContact = read("AND contact_id = ? AND rule_id = coalesce(?, rule_id)", "contact")
  const ofRule = read("AND rule_id = ?", "rule")
  return (tenantId: string, { contactId, ruleId }: TriggerRunFilter, limit: number, before: string | null) => {
    const end = [before ?? beyond, limit] as const
    if (contactId !== null) return ofContact(tenantId, contactId, ruleId, ...end)
    return ruleId === null ? all(tenantId, ...end) : ofRule(tenantId, ruleId, ...end)
  }
}

/** Stores trigger runs in SQL. */
export const layer: Layer.Layer<TriggerRuns, never, Database> = Layer.effect(
  TriggerRuns,
  Effect.map(Database, (database) => {
    const { by, command, query } = database
    const insert = command(`${runs.insert} ON CONFLICT (tenant_id, rule_id, cause) DO NOTHING`)
    const replace = command(runs.replace)
    const newer = query<{ readonly one: number }>(
      `SELECT 1 AS one FROM trigger_runs ${by("trigger_runs_contact")}
        WHERE tenant_id = ? AND contact_id = ? AND trigger_run_id > ? AND rule_id = ? AND lead_id = ?
          AND change IS NOT NULL LIMIT 1`
    )
    const expire = query(
      `DELETE FROM trigger_runs WHERE tenant_id = ? AND trigger_run_id IN (SELECT trigger_run_id FROM trigger_runs
        ${by("trigger_runs_ended")} WHERE tenant_id = ? AND state <> 'waiting' AND updated_at < ?
        ORDER BY updated_at, trigger_run_id LIMIT ?) RETURNING trigger_run_id`
    )
    const claim = makeClaim<TriggerRun>(database, work, ({ triggerRunId }) => triggerRunId)
    const { wait, wakeAll, wakeOwn } = makeWakeUps(database, "triggers")
    const wake = ({ dueAt, updatedAt }: TriggerRun) => (dueAt > updatedAt ? wakeOwn : wakeAll)
    return TriggerRuns.of({
      insert: (run) => Effect.andThen(insert(...runs.values(run)), wake(run)),
      find: runs
        .reading({ query })
        .one(`SELECT ${runs.columns} FROM trigger_runs WHERE tenant_id = ? AND trigger_run_id = ?`),
      replace: (run) => Effect.andThen(replace(...runs.changes(run)), wake(run)),
      isRepeated: ({ contactId, leadId, ruleId, tenantId, triggerRunId }) =>
        Effect.map(newer(tenantId, contactId, triggerRunId, ruleId, leadId), (rows) => rows.length > 0),
      page: paging(database),
      expire: (tenantId, before, limit) => Effect.map(expire(tenantId, tenantId, before, limit), (rows) => rows.length),
      claim: (limit, now, leaseUntil) =>
        Effect.map(claim(limit, now, leaseUntil), (rows) => rows.map((row) => runs.fromRow(row))),
      wait
    })
  })
)
