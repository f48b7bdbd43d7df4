import type * as Wire from "@leadloom/api/internal/workspace/Pipeline"
import { replyToJson, scoreToJson } from "@leadloom/api/internal/schema/PipelineFields"
import { orNull } from "@leadloom/api/internal/schema/Wire"
import type { Score } from "@leadloom/core/internal/domain/lead/Score"
import type { PipelineInput } from "@leadloom/core/internal/workflow/intake/PipelineInput"
import type { RunResult } from "@leadloom/core/internal/domain/run/Run"

/** The default `source` of a pipeline request. */
const integrationLabel = "automation"

const joinNames = (...parts: ReadonlyArray<string | null | undefined>): string | null => {
  const name = parts.flatMap((part) => part?.trim() || []).join(" ")
  return name === "" ? null : name
}

/** Decodes a pipeline request. A `name` takes precedence over `first_name` and `last_name`. */
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

/** Encodes the score of the standalone action. */
export const contactScoreToJson = (score: Score): typeof Wire.ContactScored.Type => ({
  success: true,
  data: {
    lead_score: score.score,
    lead_tier: score.tier,
    recommended_actions: score.recommendedActions,
    factors: score.factors
  }
})

/** Returns the types of completed actions. The run lists failed actions with their reasons. */
const completed = (actions: RunResult["actions"]): ReadonlyArray<string> =>
  actions.filter(({ outcome }) => outcome === "done").map(({ type }) => type)

/** Encodes the result of a run. `planned`: the actions of a dry run, which are not carried out. */
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
