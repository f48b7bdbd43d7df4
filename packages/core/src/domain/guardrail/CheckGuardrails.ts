import type { Guardrail } from "./Guardrail.ts"
import { readPhrase } from "./Phrases.ts"

/** A reason why guardrails cannot be saved. */
export interface GuardrailIssue {
  /** The path of the invalid field, for example `0.phrases.1`. */
  readonly path: string
  readonly message: string
}

/** Returns all errors in a list of guardrails. Empty if the list can be saved. */
export const checkGuardrails = (guardrails: ReadonlyArray<Guardrail>): ReadonlyArray<GuardrailIssue> => {
  const issues: Array<GuardrailIssue> = []
  const seen = new Set<string>()
  for (const [index, guardrail] of guardrails.entries()) {
    const { id } = guardrail
    if (seen.has(id)) issues.push({ path: `${index}.id`, message: `The id "${id}" is used twice. Choose another id.` })
    seen.add(id)
    if (guardrail.kind !== "blocked_phrases") continue
    for (const [place, phrase] of guardrail.phrases.entries()) {
      if (readPhrase(phrase) !== null) continue
      issues.push({
        path: `${index}.phrases.${place}`,
        message: "The phrase contains no word. Enter at least one letter or digit."
      })
    }
  }
  return issues
}
