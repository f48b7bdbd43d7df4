import type { Run, RunResult } from "@leadloom/core/pipeline/Run"
import { Runs } from "@leadloom/core/port/Runs"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readObject } from "./Json.ts"
import { first, queries } from "./Queries.ts"
import { table } from "./Table.ts"

interface RunRow extends Omit<Run, keyof RunResult> {
  readonly result: string
}

const runs = table<RunRow>(
  "runs",
  {
    tenantId: "tenant_id",
    signalId: "signal_id",
    runId: "run_id",
    messageId: "message_id",
    contactId: "contact_id",
    leadId: "lead_id",
    configVersion: "config_version",
    createdAt: "created_at",
    result: "result"
  },
  ["tenantId", "signalId"]
)

const toRow = ({ classification, score, matchedRules, actions, reply, steps, ...run }: Run): RunRow => {
  const result: RunResult = { classification, score, matchedRules, actions, reply, steps }
  return { ...run, result: JSON.stringify(result) }
}

const fromRow = ({ result, ...run }: RunRow): Run => ({ ...run, ...readObject<RunResult>(result) })

/** Passages through the pipeline in SQL. */
export const layer: Layer.Layer<Runs, never, SqlClient> = Layer.effect(
  Runs,
  Effect.map(SqlClient, (sql) => {
    const { command, query } = queries(sql)
    const insert = command(runs.insert)
    const find = query<RunRow>(`SELECT ${runs.columns} FROM runs WHERE tenant_id = ? AND signal_id = ?`)
    return Runs.of({
      insert: (run) => Effect.asVoid(insert(...runs.values(toRow(run)))),
      ofSignal: (tenantId, signalId) =>
        Effect.map(find(tenantId, signalId), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        })
    })
  })
)
