import { isoTime } from "@leadloom/api/Field"
import type * as Wire from "@leadloom/api/Pipeline"
import type { Score } from "@leadloom/core/lead/Score"
import type { PipelineInput } from "@leadloom/core/pipeline/PipelineInput"
import type { Run, RunReply, RunResult } from "@leadloom/core/pipeline/Run"

/** The `source` of a pipeline request that names none. */
const integrationLabel = "automation"

const joinNames = (...parts: ReadonlyArray<string | null | undefined>): string | null => {
  const name = parts.flatMap((part) => part?.trim() || []).join(" ")
  return name === "" ? null : name
}

/** What the pipeline reads from a request. A `name` wins over `first_name` and `last_name`. */
export const requestFromJson = (json: typeof Wire.PipelineRequest.Type, idempotencyKey?: string): PipelineInput => {
  const { email, first_name, last_name, name, phone } = json.contact ?? {}
  return {
    message: json.message,
    contact: { name: joinNames(name) ?? joinNames(first_name, last_name), email: email ?? null, phone: phone ?? null },
    channel: json.channel ?? "webhook",
    source: json.source ?? integrationLabel,
    metadata: json.metadata ?? {},
    idempotencyKey: idempotencyKey ?? null
  }
}

const scoreToJson = (score: Score): typeof Wire.Score.Type => ({
  score: score.score,
  tier: score.tier,
  recommended_actions: score.recommendedActions,
  factors: score.factors
})

/** A reply, wherever it stands. */
export const replyToJson = (reply: RunReply): typeof Wire.Reply.Type => ({
  text: reply.text,
  channel: reply.channel,
  requires_approval: reply.requiresApproval
})

const orNull = <A, B>(value: A | null, map: (value: A) => B): B | null => (value === null ? null : map(value))

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

/** A run as the full pipeline and the dry run answer it. */
export const resultToJson = (signalId: string, result: RunResult): typeof Wire.PipelineResult.Type => ({
  signal_id: signalId,
  classification: result.classification,
  score: orNull(result.score, scoreToJson),
  matched_rules: result.matchedRules.length,
  actions_triggered: result.actions.map(({ type }) => type),
  reply: orNull(result.reply, replyToJson)
})

/** A stored run with everything that is known of it. */
export const runToJson = (run: Run): typeof Wire.PipelineRun.Type => ({
  run_id: run.runId,
  signal_id: run.signalId,
  message_id: run.messageId,
  contact_id: run.contactId,
  lead_id: run.leadId,
  config_version: run.configVersion,
  created_at: isoTime(run.createdAt),
  classification: run.classification,
  score: orNull(run.score, scoreToJson),
  matched_rules: run.matchedRules.map(({ name, ruleId }) => ({ rule_id: ruleId, name })),
  actions: run.actions.map(({ outcome, reason, ruleId, type }) => ({ type, rule_id: ruleId, outcome, reason })),
  reply: orNull(run.reply, replyToJson),
  steps: run.steps
})
