import type { Comparison } from "@leadloom/client"
import { ruleText } from "../text/Rules.ts"
import { formOf, specOf } from "./Edit.ts"

type Value = Comparison["value"]

interface ValueProps {
  readonly comparison: Comparison
  readonly onChange: (value: Value) => void
}

interface NumberProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

const NumberField = ({ label, onChange, value }: NumberProps) => (
  <input
    type="number"
    step="any"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.target.valueAsNumber || 0)}
  />
)

const TruthField = ({ comparison: { value }, onChange }: ValueProps) => (
  <select
    aria-label={ruleText.value}
    value={String(value === true)}
    onChange={(event) => onChange(event.target.value === "true")}
  >
    <option value="true">{ruleText.truth.true}</option>
    <option value="false">{ruleText.truth.false}</option>
  </select>
)

const RangeField = ({ comparison: { value }, onChange }: ValueProps) => {
  const [from, to] = (Array.isArray(value) ? value : []).map(Number)
  return (
    <>
      <NumberField label={ruleText.from} value={from ?? 0} onChange={(next) => onChange([next, to ?? 0])} />
      <NumberField label={ruleText.to} value={to ?? 0} onChange={(next) => onChange([from ?? 0, next])} />
    </>
  )
}

const ListField = ({ comparison: { fact, value }, onChange }: ValueProps) => {
  const isNumeric = specOf(fact)?.type === "number"
  const change = (typed: string): void => {
    const lines = typed.split("\n").flatMap((line) => line.trim() || [])
    onChange(isNumeric ? lines.map(Number) : lines)
  }
  // The field keeps an empty last line while the person types, so it is not controlled.
  return (
    <textarea
      aria-label={ruleText.values}
      rows={3}
      defaultValue={Array.isArray(value) ? value.join("\n") : ""}
      onChange={(event) => change(event.target.value)}
    />
  )
}

const TextField = ({ comparison: { fact, op, value }, onChange }: ValueProps) => {
  const choices = op === "eq" || op === "neq" ? (specOf(fact)?.oneOf ?? null) : null
  if (choices === null) {
    return (
      <input aria-label={ruleText.value} value={String(value)} onChange={(event) => onChange(event.target.value)} />
    )
  }
  return (
    <select aria-label={ruleText.value} value={String(value)} onChange={(event) => onChange(event.target.value)}>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  )
}

/** The value of a comparison, in the form that its fact and operator need. */
export const ValueField = (props: ValueProps) => {
  const { comparison, onChange } = props
  switch (formOf(comparison)) {
    case "truth":
      return <TruthField {...props} />
    case "number":
      return <NumberField label={ruleText.value} value={Number(comparison.value)} onChange={onChange} />
    case "range":
      return <RangeField {...props} />
    case "list":
      return <ListField key={`${comparison.fact} ${comparison.op}`} {...props} />
    case "text":
      return <TextField {...props} />
  }
}
