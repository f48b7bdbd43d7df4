import type { Comparison } from "@leadloom/client"
import { factName, operatorNames } from "../text/Conditions.ts"
import { ruleText } from "../text/Rules.ts"
import { factSpecs } from "../text/RuleVocabulary.ts"
import { operatorsFor, specOf, withFact, withOperator } from "./Edit.ts"
import { ValueField } from "./ValueField.tsx"

interface ComparisonProps {
  readonly comparison: Comparison
  readonly onChange: (comparison: Comparison) => void
}

/** The start of the name of a fact that the server does not know without configuration. */
const otherFact = "metadata."

const FactField = ({ comparison, onChange }: ComparisonProps) => {
  const { fact } = comparison
  const isKnown = specOf(fact) !== null
  const choose = (chosen: string): void => onChange(withFact(comparison, chosen))
  return (
    <>
      <select
        aria-label={ruleText.fact}
        value={isKnown ? fact : otherFact}
        onChange={(event) => choose(event.target.value)}
      >
        {Object.keys(factSpecs).map((name) => (
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
export const ComparisonFields = ({ comparison, onChange }: ComparisonProps) => (
  <>
    <FactField comparison={comparison} onChange={onChange} />
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
