import type { ScoreRecord } from "@leadloom/core/domain/lead/Score"
import { Scores } from "@leadloom/core/port/repository/lead/Leads"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readArray, readObject } from "../../sql/Json.ts"
import { table } from "../../sql/Table.ts"

interface ScoreRow extends Omit<ScoreRecord, "factors" | "recommendedActions" | "classification"> {
  readonly factors: string
  readonly recommendedActions: string
  readonly classification: string | null
}

const scores = table<ScoreRow>(
  "lead_scores",
  {
    tenantId: "tenant_id",
    leadId: "lead_id",
    scoreId: "score_id",
    messageId: "message_id",
    signalId: "signal_id",
    createdAt: "created_at",
    score: "score",
    tier: "tier",
    factors: "factors",
    recommendedActions: "recommended_actions",
    classification: "classification"
  },
  ["tenantId", "leadId", "scoreId"]
)

const toRow = (score: ScoreRecord): ScoreRow => ({
  ...score,
  factors: JSON.stringify(score.factors),
  recommendedActions: JSON.stringify(score.recommendedActions),
  classification: score.classification === null ? null : JSON.stringify(score.classification)
})

const fromRow = (row: ScoreRow): ScoreRecord => ({
  ...row,
  factors: readArray(row.factors),
  recommendedActions: readArray(row.recommendedActions),
  classification: row.classification === null ? null : readObject(row.classification)
})

/** Sorts after every id, because ids start with a letter. */
const last = "~"

/** Stores the scores of leads in SQL. */
export const layer: Layer.Layer<Scores, never, Database> = Layer.effect(
  Scores,
  Effect.map(Database, ({ command, query }) => {
    const insert = command(scores.insert)
    const ofLead = query<ScoreRow>(
      `SELECT ${scores.columns} FROM lead_scores WHERE tenant_id = ? AND lead_id = ? AND score_id < ?
        ORDER BY score_id DESC LIMIT ?`
    )
    return Scores.of({
      insert: (score) => insert(...scores.values(toRow(score))),
      ofLead: (tenantId, leadId, limit, before) =>
        Effect.map(ofLead(tenantId, leadId, before ?? last, limit), (rows) => rows.map(fromRow))
    })
  })
)
