import type { Comparison } from "@leadloom/client"
import { factName, nameOf, operatorNames } from "../text/Conditions.ts"
import { ruleText } from "../text/Rules.ts"
import { factsFor, operatorsFor, specOf, withFact, withOperator } from "./Edit.ts"
import { ValueField } from "./ValueField.tsx"

interface ComparisonProps {
  readonly comparison: Comparison
  /** Whether the rule reacts to messages. */
  readonly hasMessage: boolean
  readonly onChange: (comparison: Comparison) => void
}

/** Returns the start of the name of a fact that the server does not know without configuration. */
const otherFactOf = (hasMessage: boolean): string => (hasMessage ? "metadata." : "contact.custom_fields.")

/** The facts by which a mail is authenticated. */
const authentication: ReadonlySet<string> = new Set([
  "message.spf",
  "message.dkim",
  "message.dmarc",
  "message.arc",
  "message.from_domain_aligned"
])

const groupOf = (fact: string): string =>
  nameOf(ruleText.factGroups, authentication.has(fact) ? "authentication" : (fact.split(".")[0] ?? fact))

/** Returns the facts in groups, in the order of the first fact of each group. */
const groupsOf = (facts: ReadonlyArray<string>): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => [
  ...Map.groupBy(facts, groupOf)
]

const FactField = ({ comparison, hasMessage, onChange }: ComparisonProps) => {
  const { fact } = comparison
  const otherFact = otherFactOf(hasMessage)
  const isKnown = specOf(fact) !== null
  const offered = factsFor(hasMessage)
  const choose = (chosen: string): void => onChange(withFact(comparison, chosen))
  return (
    <>
      <select
        aria-label={ruleText.fact}
        value={isKnown ? fact : otherFact}
        onChange={(event) => choose(event.target.value)}
      >
        {isKnown && !offered.includes(fact) ? (
          <option value={fact}>{ruleText.needsMessage(factName(fact))}</option>
        ) : null}
        {groupsOf(offered).map(([group, names]) => (
          <optgroup key={group} label={group}>
            {names.map((name) => (
              <option key={name} value={name}>
                {factName(name)}
              </option>
            ))}
          </optgroup>
        ))}
        <option value={otherFact}>{ruleText.otherFact}</option>
      </select>
      {isKnown ? null : (
        <input aria-label={ruleText.factName} value={fact} onChange={(event) => choose(event.target.value)} />
      )}
    </>
  )
}

/** The fact, the operator and the value of a comparison, in the order of the sentence. */
export const ComparisonFields = ({ comparison, hasMessage, onChange }: ComparisonProps) => (
  <>
    <FactField comparison={comparison} hasMessage={hasMessage} onChange={onChange} />
    <select
      aria-label={ruleText.operator}
      value={comparison.op}
      onChange={(event) => {
        const op = operatorsFor(comparison.fact).find((one) => one === event.target.value)
        if (op !== undefined) onChange(withOperator(comparison, op))
      }}
    >
      {operatorsFor(comparison.fact).map((op) => (
        <option key={op} value={op}>
          {operatorNames[op]}
        </option>
      ))}
    </select>
    <ValueField comparison={comparison} onChange={(value) => onChange({ ...comparison, value })} />
  </>
)
