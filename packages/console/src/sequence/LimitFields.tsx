import { Field, Fields } from "../component/Field.tsx"
import blocks from "../design/Blocks.module.css"
import { editorText } from "../text/sequence/Editor.ts"
import type { SequenceFields } from "./Fields.ts"

const { limits: shown } = editorText

const percentages = ["bounce_percent", "complaint_percent", "opt_out_percent"] as const

interface NumberProps {
  readonly label: string
  readonly hint: string
  /** Null is an empty field. */
  readonly value: number | string | null
  readonly step?: number
  readonly onChange: (value: number | null) => void
}

const NumberField = ({ hint, label, onChange, step = 1, value }: NumberProps) => (
  <Field label={label} hint={hint}>
    {(control) => (
      <input
        {...control}
        type="number"
        min={0}
        step={step}
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value === "" ? null : Number(target.value))}
      />
    )}
  </Field>
)

interface LimitFieldsProps {
  readonly fields: SequenceFields
  readonly onChange: (fields: SequenceFields) => void
}

/** The holdout group of a sequence, and the limits that pause it. */
export const LimitFields = ({ fields, onChange }: LimitFieldsProps) => {
  const { holdout_percent: holdout, limits } = fields
  return (
    <fieldset className={blocks.group}>
      <legend>{shown.title}</legend>
      <Fields>
        <NumberField
          label={shown.holdout}
          hint={shown.holdoutHint}
          value={holdout}
          onChange={(percent) => onChange({ ...fields, holdout_percent: percent ?? 0 })}
        />
        {percentages.map((name) => (
          <NumberField
            key={name}
            label={shown[name]}
            hint={shown.percentHint}
            step={0.1}
            value={limits[name]}
            onChange={(percent) => onChange({ ...fields, limits: { ...limits, [name]: percent } })}
          />
        ))}
        <NumberField
          label={shown.min_messages}
          hint={shown.minHint}
          value={limits.min_messages}
          onChange={(number) => onChange({ ...fields, limits: { ...limits, min_messages: number ?? 0 } })}
        />
      </Fields>
    </fieldset>
  )
}
