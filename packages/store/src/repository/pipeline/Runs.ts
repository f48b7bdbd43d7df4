import { type Run, RunHead, type RunQuery } from "@leadloom/core/internal/domain/run/Run"
import type { RunInputs } from "@leadloom/core/internal/domain/run/RunSubject"
import {
  recordingsOfStored,
  recordingsToStored,
  resultOfStored,
  resultToStored,
  type StoredRecordings,
  type StoredResult
} from "@leadloom/core/internal/domain/run/StoredRun"
import { Runs } from "@leadloom/core/internal/port/repository/pipeline/Runs"
import { unchecked } from "@leadloom/core/internal/domain/Field"
import { Effect, Layer, Schema } from "effect"
import { Database } from "../../Database.ts"
import { mappedTable } from "../../sql/Table.ts"

class RunRow extends Schema.Opaque<RunRow>()(
  Schema.Struct({
    ...RunHead.fields,
    result: unchecked<StoredResult>(),
    inputs: Schema.NullOr(unchecked<RunInputs>()),
    recordings: Schema.NullOr(unchecked<StoredRecordings>())
  })
) {}

const runs = mappedTable(
  RunRow,
  { name: "runs", key: ["tenantId", "signalId"] },
  {
    toRow: ({ actions, classification, matchedRules, recordings, reply, score, steps, written, ...run }: Run) => ({
      ...run,
      result: resultToStored({ classification, score, matchedRules, actions, written, reply, steps }),
      recordings: recordingsToStored(recordings)
    }),
    fromRow: ({ recordings, result, ...row }): Run => ({
      ...row,
      ...resultOfStored(result),
      recordings: recordingsOfStored(recordings)
    })
  }
)

/** A text that sorts after every signal id, so that a list starts with the newest one. */
const newestSignal = "sig_~"

/** Stores the runs of the pipeline in SQL. */
export const layer: Layer.Layer<Runs, never, Database> = Layer.effect(
  Runs,
  Effect.map(Database, ({ by, command, query }) => {
    const { all, one } = runs.reading({ query })
    const insert = command(runs.insert)
    const replaceResult = command("UPDATE runs SET result = ? WHERE tenant_id = ? AND signal_id = ?")
    const find = one(`SELECT ${runs.columns} FROM runs WHERE tenant_id = ? AND signal_id = ?`)
    const page = (table: string, condition: string) =>
      all(
        `SELECT ${runs.columns} FROM ${table} WHERE tenant_id = ? AND ${condition} signal_id < ?
          ORDER BY signal_id DESC LIMIT ?`
      )
    const ofTenant = page("runs", "")
    const ofContact = page(`runs ${by("runs_contact")}`, "contact_id = ? AND")
    const ofLead = page(`runs ${by("runs_lead")}`, "lead_id = ? AND")
    const ofBoth = page(`runs ${by("runs_lead")}`, "lead_id = ? AND contact_id = ? AND")
    const pageOf = (tenantId: string, { contactId, leadId }: RunQuery, limit: number, before: string) => {
      if (contactId === null) {
        return leadId === null ? ofTenant(tenantId, before, limit) : ofLead(tenantId, leadId, before, limit)
      }
      return leadId === null
        ? ofContact(tenantId, contactId, before, limit)
        : ofBoth(tenantId, leadId, contactId, before, limit)
    }
    return Runs.of({
      insert: (run) => Effect.asVoid(insert(...runs.values(run))),
      replaceResult: ({ actions, classification, matchedRules, reply, score, signalId, steps, tenantId, written }) => {
        const result = resultToStored({ classification, score, matchedRules, actions, written, reply, steps })
        return Effect.asVoid(replaceResult(JSON.stringify(result), tenantId, signalId))
      },
      ofSignal: find,
      page: (tenantId, requested, limit, before) => pageOf(tenantId, requested, limit, before ?? newestSignal)
    })
  })
)
