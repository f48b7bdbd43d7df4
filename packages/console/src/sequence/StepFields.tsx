import type { SequenceStep } from "@leadloom/client"
import { Field, Fields } from "../component/Field.tsx"
import { editorText } from "../text/sequence/Editor.ts"
import { sequenceText } from "../text/sequence/Sequence.ts"
import { withKind } from "./Fields.ts"
import { StepHours } from "./StepHours.tsx"

interface StepProps<Step extends SequenceStep = SequenceStep> {
  readonly step: Step
  readonly onChange: (step: SequenceStep) => void
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: Readonly<Record<Value, string>>
  readonly onChoose: (value: Value) => void
}

const Select = <Value extends string>({ label, onChoose, options, value }: SelectProps<Value>) => (
  <Field label={label}>
    {(control) => (
      // The options are the values of the type.
      <select {...control} value={value} onChange={(event) => onChoose(event.target.value as Value)}>
        {Object.entries<string>(options).map(([name, shown]) => (
          <option key={name} value={name}>
            {shown}
          </option>
        ))}
      </select>
    )}
  </Field>
)

const Message = ({ onChange, step }: StepProps<Extract<SequenceStep, { readonly kind: "send" }>>) => {
  const { subject, ...others } = step
  return (
    <>
      <Select
        label={editorText.channel}
        value={step.channel}
        options={editorText.channels}
        onChoose={(channel) => onChange(channel === "sms" ? { ...others, channel } : { ...step, channel })}
      />
      {step.channel === "email" ? (
        <Field label={editorText.subject} hint={editorText.subjectHint}>
          {(control) => (
            <input
              {...control}
              maxLength={300}
              value={subject ?? ""}
              onChange={({ target: { value } }) => onChange({ ...others, ...(value === "" ? {} : { subject: value }) })}
            />
          )}
        </Field>
      ) : null}
      <Field label={editorText.body} hint={editorText.bodyHint}>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            value={step.body}
            onChange={(event) => onChange({ ...step, body: event.target.value })}
          />
        )}
      </Field>
    </>
  )
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
    {step.kind === "send" ? <Message step={step} onChange={onChange} /> : null}
    {step.kind === "task" ? <Task step={step} onChange={onChange} /> : null}
  </>
)
