import type { Guardrail } from "@leadloom/core/internal/domain/guardrail/Guardrail"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { defaultConfig, type TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { wordOf } from "../../../store/bench/Correspondence.ts"
import { recipient } from "../../../store/bench/FillTenant.ts"

/** The tenant of the history. */
export const { tenantId } = recipient

/** Returns fifty rules over words, score, sender and time. A few match each message; every fifth writes a reply. */
const rulesFrom = (firstWord: number): ReadonlyArray<Rule> =>
  Array.from({ length: 50 }, (_, index): Rule => {
    const word = wordOf(firstWord + 7 * index)
    return {
      id: `rule_${index}`,
      name: `Rule ${index}`,
      priority: index,
      when: {
        any: [
          {
            all: [
              { fact: "message.text", op: "has_word", value: word },
              { fact: "score.value", op: "gte", value: index % 30 }
            ]
          },
          {
            all: [
              { fact: "contact.email", op: "contains", value: `.${1_000 + index}@` },
              { fact: "time.hour", op: "lt", value: 12 }
            ]
          }
        ]
      },
      actions:
        index % 5 === 0
          ? [{ type: "reply", template: `Hello {{ contact.first_name }}, thank you for asking about ${word}.` }]
          : [{ type: "tag", tag: word }]
    }
  })

const guardrails: ReadonlyArray<Guardrail> = [
  { id: "no-prices", kind: "no_prices" },
  { id: "no-links", kind: "no_links", outcome: "block" },
  { id: "night", kind: "quiet_hours", from: "21:00", to: "07:00" },
  { id: "phrases", kind: "blocked_phrases", phrases: [wordOf(40), wordOf(300), wordOf(900)] }
]

/** The configuration during the creation of the history. */
export const configured: TenantConfig = {
  ...defaultConfig,
  classifier: "keywords",
  replyMode: "auto",
  guardrails,
  rules: rulesFrom(20)
}

/** The configuration that the back-test evaluates: other words, other thresholds and one guardrail less. */
export const changed = {
  config: { ...configured, thresholds: { hot: 60, warm: 20 } },
  rules: rulesFrom(23),
  guardrails: guardrails.slice(1)
}
