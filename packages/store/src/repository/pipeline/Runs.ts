import type { Run, RunQuery, RunResult } from "@leadloom/core/domain/run/Run"
import type { RunInputs } from "@leadloom/core/domain/run/RunSubject"
import {
  recordingsOfStored,
  recordingsToStored,
  resultOfStored,
  resultToStored,
  type StoredRecordings,
  type StoredResult
} from "@leadloom/core/domain/run/StoredRun"
import { Runs } from "@leadloom/core/port/repository/pipeline/Runs"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readObject } from "../../sql/Json.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

interface RunRow extends Omit<Run, keyof RunResult | "inputs" | "recordings"> {
  readonly result: string
  readonly inputs: string | null
  readonly recordings: string | null
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
    result: "result",
    inputs: "inputs",
    recordings: "recordings"
  },
  ["tenantId", "signalId"]
)

const toRow = (run: Run): RunRow => {
  const { classification, score, matchedRules, actions, written, reply, steps, inputs, recordings, ...row } = run
  const result = resultToStored({ classification, score, matchedRules, actions, written, reply, steps })
  const recorded = recordingsToStored(recordings)
  return {
    ...row,
    result: JSON.stringify(result),
    inputs: inputs === null ? null : JSON.stringify(inputs),
    recordings: recorded === null ? null : JSON.stringify(recorded)
  }
}

const fromRow = ({ inputs, recordings, result, ...row }: RunRow): Run => ({
  ...row,
  ...resultOfStored(readObject<StoredResult>(result)),
  inputs: inputs === null ? null : readObject<RunInputs>(inputs),
  recordings: recordingsOfStored(recordings === null ? null : readObject<StoredRecordings>(recordings))
})

/** Sorts after every id of a signal, so a list starts with the newest. */
const newestSignal = "sig_~"

/** Stores the runs of the pipeline in SQL. */
export const layer: Layer.Layer<Runs, never, Database> = Layer.effect(
  Runs,
  Effect.map(Database, ({ by, command, query }) => {
    const insert = command(runs.insert)
    const find = query<RunRow>(`SELECT ${runs.columns} FROM runs WHERE tenant_id = ? AND signal_id = ?`)
    const page = (table: string, condition: string) =>
      query<RunRow>(
        `SELECT ${runs.columns} FROM ${table} WHERE tenant_id = ? AND ${condition} signal_id < ?
          ORDER BY signal_id DESC LIMIT ?`
      )
    const all = page("runs", "")
    const ofContact = page(`runs ${by("runs_contact")}`, "contact_id = ? AND")
    const ofLead = page(`runs ${by("runs_lead")}`, "lead_id = ? AND")
    const ofBoth = page(`runs ${by("runs_lead")}`, "lead_id = ? AND contact_id = ? AND")
    const pageOf = (tenantId: string, { contactId, leadId }: RunQuery, limit: number, before: string) => {
      if (contactId === null) {
        return leadId === null ? all(tenantId, before, limit) : ofLead(tenantId, leadId, before, limit)
      }
      return leadId === null
        ? ofContact(tenantId, contactId, before, limit)
        : ofBoth(tenantId, leadId, contactId, before, limit)
    }
    return Runs.of({
      insert: (run) => Effect.asVoid(insert(...runs.values(toRow(run)))),
      ofSignal: (tenantId, signalId) =>
        Effect.map(find(tenantId, signalId), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        }),
      page: (tenantId, requested, limit, before) =>
        Effect.map(pageOf(tenantId, requested, limit, before ?? newestSignal), (rows) => rows.map(fromRow))
    })
  })
)
