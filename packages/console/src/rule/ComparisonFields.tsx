import type { Comparison } from "@leadloom/client"
import { factName, operatorNames } from "../text/Conditions.ts"
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
        {offered.map((name) => (
          <option key={name} value={name}>
            {factName(name)}
          </option>
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
