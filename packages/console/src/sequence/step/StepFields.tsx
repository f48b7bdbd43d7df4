import type { SequenceStep } from "@leadloom/client"
import { Field, Fields } from "../../component/Field.tsx"
import { editorText } from "../../text/sequence/Editor.ts"
import { sequenceText } from "../../text/sequence/Sequence.ts"
import { withKind } from "../Fields.ts"
import { Select } from "../../form/Select.tsx"
import { StepHours } from "./StepHours.tsx"
import { StepTexts } from "./StepTexts.tsx"
import { StepUntil } from "./StepUntil.tsx"

interface StepProps<Step extends SequenceStep = SequenceStep> {
  readonly step: Step
  readonly onChange: (step: SequenceStep) => void
}

const Task = ({ onChange, step }: StepProps<Extract<SequenceStep, { readonly kind: "task" }>>) => (
  <Field label={editorText.title}>
    {(control) => (
      <input
        {...control}
        maxLength={200}
        value={step.title}
        onChange={(event) => onChange({ ...step, title: event.target.value })}
      />
    )}
  </Field>
)

/** The form of one step. */
export const StepFields = ({ onChange, step }: StepProps) => (
  <>
    <Fields>
      <Field label={editorText.stepName} hint={editorText.stepNameHint}>
        {(control) => (
          <input
            {...control}
            maxLength={50}
            value={step.name}
            onChange={(event) => onChange({ ...step, name: event.target.value })}
          />
        )}
      </Field>
      <Select
        label={editorText.kind}
        value={step.kind}
        options={sequenceText.kinds}
        onChoose={(kind) => onChange(withKind(step, kind))}
      />
      <Field label={editorText.amount}>
        {(control) => (
          <input
            {...control}
            type="number"
            min={0}
            max={366}
            value={step.delay.amount}
            onChange={(event) => onChange({ ...step, delay: { ...step.delay, amount: Number(event.target.value) } })}
          />
        )}
      </Field>
      <Select
        label={editorText.unit}
        value={step.delay.unit}
        options={editorText.units}
        onChoose={(unit) => onChange({ ...step, delay: { ...step.delay, unit } })}
      />
    </Fields>
    <StepHours step={step} onChange={onChange} />
    {step.kind === "send" ? <StepTexts step={step} onChange={onChange} /> : null}
    {step.kind === "wait" ? <StepUntil step={step} onChange={onChange} /> : null}
    {step.kind === "task" ? <Task step={step} onChange={onChange} /> : null}
  </>
)
