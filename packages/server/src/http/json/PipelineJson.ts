import type * as Wire from "@leadloom/api/workspace/Pipeline"
import type * as Fields from "@leadloom/api/schema/PipelineFields"
import type { Score } from "@leadloom/core/domain/lead/Score"
import type { PipelineInput } from "@leadloom/core/workflow/intake/PipelineInput"
import type { RunReply, RunResult } from "@leadloom/core/domain/run/Run"

/** The `source` of a pipeline request that names none. */
const integrationLabel = "automation"

const joinNames = (...parts: ReadonlyArray<string | null | undefined>): string | null => {
  const name = parts.flatMap((part) => part?.trim() || []).join(" ")
  return name === "" ? null : name
}

/** What the pipeline reads from a request. A `name` wins over `first_name` and `last_name`. */
export const requestFromJson = (json: typeof Wire.PipelineRequest.Type): PipelineInput => {
  const { email, first_name, last_name, name, phone } = json.contact ?? {}
  return {
    message: json.message,
    contact: { name: joinNames(name) ?? joinNames(first_name, last_name), email: email ?? null, phone: phone ?? null },
    channel: json.channel ?? "webhook",
    source: json.source ?? integrationLabel,
    metadata: json.metadata ?? {},
    idempotencyKey: null
  }
}

/** A score as the wire tells it. */
export const scoreToJson = (score: Score): typeof Fields.Score.Type => ({
  score: score.score,
  tier: score.tier,
  recommended_actions: score.recommendedActions,
  factors: score.factors
})

/** A reply as the wire tells it. */
export const replyToJson = (reply: RunReply): typeof Fields.Reply.Type => ({
  text: reply.text,
  channel: reply.channel,
  requires_approval: reply.requiresApproval
})

/** What may be null, mapped where it is not. */
export const orNull = <A, B>(value: A | null, map: (value: A) => B): B | null => (value === null ? null : map(value))

/** The score as the standalone action tells it. */
export const contactScoreToJson = (score: Score): typeof Wire.ContactScored.Type => ({
  success: true,
  data: {
    lead_score: score.score,
    lead_tier: score.tier,
    recommended_actions: score.recommendedActions,
    factors: score.factors
  }
})

/** The types of the actions that have happened. What could not be done is in the run, with its reason. */
const completed = (actions: RunResult["actions"]): ReadonlyArray<string> =>
  actions.filter(({ outcome }) => outcome === "done").map(({ type }) => type)

/** A run as the full pipeline answers it. `planned`: a dry run, which names what it would do. */
export const resultToJson = (
  signalId: string,
  result: RunResult,
  planned = false
): typeof Wire.PipelineResult.Type => ({
  signal_id: signalId,
  classification: result.classification,
  score: orNull(result.score, scoreToJson),
  matched_rules: result.matchedRules.length,
  actions_triggered: planned ? result.actions.map(({ type }) => type) : completed(result.actions),
  reply: orNull(result.reply, replyToJson)
})
