import type { Guardrail } from "./Guardrail.ts"
import { readPhrase } from "./Phrases.ts"

/** Something that keeps guardrails from being saved. */
export interface GuardrailIssue {
  /** Where, for example `0.phrases.1`. */
  readonly path: string
  readonly message: string
}

/** Everything that is wrong with a list of guardrails, with the place of each; empty when they may be saved. */
export const checkGuardrails = (guardrails: ReadonlyArray<Guardrail>): ReadonlyArray<GuardrailIssue> => {
  const issues: Array<GuardrailIssue> = []
  const seen = new Set<string>()
  for (const [index, guardrail] of guardrails.entries()) {
    const { id } = guardrail
    if (seen.has(id)) issues.push({ path: `${index}.id`, message: `Another guardrail has the id "${id}".` })
    seen.add(id)
    if (guardrail.kind !== "blocked_phrases") continue
    for (const [place, phrase] of guardrail.phrases.entries()) {
      if (readPhrase(phrase) !== null) continue
      issues.push({ path: `${index}.phrases.${place}`, message: "There is no word in it, so it would never be found." })
    }
  }
  return issues
}
