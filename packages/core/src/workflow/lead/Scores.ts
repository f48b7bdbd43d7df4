import { Effect } from "effect"
import type { MessageId, SignalId } from "../../domain/Id.ts"
import type { Classification } from "../../domain/classification/Classification.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import type { Score, ScoreRecord } from "../../domain/lead/Score.ts"
import { scoreChanges } from "../../domain/lead/LeadChange.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { Leads, Scores } from "../../port/repository/lead/Leads.ts"
import { Ids } from "../../port/system/Ids.ts"
import { withSpan } from "../WithSpan.ts"

/** A score, and the message, classification and run on which it is based. */
export interface Scored {
  readonly score: Score
  readonly classification: Classification | null
  readonly messageId: MessageId | null
  /** The run that computed the score. Null when a client requested the score. */
  readonly signalId: SignalId | null
}

/** Returns the lead with a new score. If there is no new classification, keeps the former one. */
export const withScore = (lead: Lead, { classification, score }: Scored, now: number): Lead => ({
  ...lead,
  score: score.score,
  tier: score.tier,
  factors: score.factors,
  classification: classification ?? lead.classification,
  updatedAt: now
})

/** Stores a score in the history of a lead. Runs inside a unit of work. */
export const recordScore = Effect.fnUntraced(function* (lead: Lead, scored: Scored, now: number) {
  const { classification, messageId, score, signalId } = scored
  const record: ScoreRecord = {
    ...score,
    scoreId: yield* (yield* Ids).next("scr"),
    tenantId: lead.tenantId,
    leadId: lead.leadId,
    messageId,
    signalId,
    classification,
    createdAt: now
  }
  yield* (yield* Scores).insert(record)
  return record
})

/** Returns the outbound events that report a score. The first tier of a lead is not reported as a change of tier. */
export const scoreEvents = (
  before: Lead,
  after: Lead,
  { classification, score: { factors, recommendedActions } }: Scored
): ReadonlyArray<NewEvent> => {
  const about = { factors, recommended_actions: recommendedActions, classification }
  const scored: NewEvent = { ...leadEvent("lead.scored", after, about), changes: scoreChanges(before, after) }
  if (before.tier === null || before.tier === after.tier) return [scored]
  return [scored, leadEvent("lead.tier_changed", after, { previous_tier: before.tier })]
}

/** Returns a page of a lead's scores, newest first. */
export const listScores = Effect.fnUntraced(function* (tenantId: string, id: string, page: PageRequest) {
  const { leadId } = yield* (yield* Leads).get(tenantId, id)
  const scores = yield* Scores
  return yield* readPage(
    {
      scope: { tenantId, list: "scores", filters: { leadId } },
      fetch: (limit, before: string | null) => scores.ofLead(tenantId, leadId, limit, before),
      keyOf: ({ scoreId }) => [scoreId],
      readKey: ([scoreId]) => (typeof scoreId === "string" ? scoreId : null)
    },
    page
  )
}, withSpan("listScores"))
