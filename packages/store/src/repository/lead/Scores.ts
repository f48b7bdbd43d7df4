import { ScoreRecord } from "@leadloom/core/internal/domain/lead/Score"
import { Scores } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const scores = table(ScoreRecord, { name: "lead_scores", key: ["tenantId", "leadId", "scoreId"] })

/** A text that sorts after every id, because ids start with a letter. */
const last = "~"

/** Stores the scores of leads in SQL. */
export const layer: Layer.Layer<Scores, never, Database> = Layer.effect(
  Scores,
  Effect.map(Database, ({ command, query }) => {
    const { all } = scores.reading({ query })
    const insert = command(scores.insert)
    const ofLead = all(
      `SELECT ${scores.columns} FROM lead_scores WHERE tenant_id = ? AND lead_id = ? AND score_id < ?
        ORDER BY score_id DESC LIMIT ?`
    )
    return Scores.of({
      insert: (score) => insert(...scores.values(score)),
      ofLead: (tenantId, leadId, limit, before) => ofLead(tenantId, leadId, before ?? last, limit)
    })
  })
)
