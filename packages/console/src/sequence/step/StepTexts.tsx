import type { SequenceStep, StepVariant } from "@leadloom/client"
import { Field, Fields } from "../../component/Field.tsx"
import blocks from "../../design/Blocks.module.css"
import { editorText } from "../../text/sequence/Editor.ts"
import { messageText } from "../../text/rule/Message.ts"
import { FallbackFields } from "../../form/FallbackFields.tsx"
import { Select } from "../../form/Select.tsx"
import { Subject, withSubject } from "../../form/Subject.tsx"
import { maxVariants, newVariant, type SendStep, withChannel, withFallback, withVariants } from "./StepText.ts"

const { variants: shown } = editorText

interface WeightProps {
  readonly label: string
  readonly value: number | undefined
  readonly onChange: (weight: number) => void
}

const Weight = ({ label, onChange, value = 1 }: WeightProps) => (
  <Field label={label} hint={shown.weightHint}>
    {(control) => (
      <input
        {...control}
        type="number"
        min={1}
        max={100}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    )}
  </Field>
)

interface VariantProps {
  readonly variant: StepVariant
  readonly isEmail: boolean
  readonly onChange: (variant: StepVariant) => void
  readonly onRemove: () => void
}

const Variant = ({ isEmail, onChange, onRemove, variant }: VariantProps) => (
  <div className={blocks.group} role="group" aria-label={shown.variant(variant.name)}>
    <Fields>
      <Field label={shown.name} hint={shown.nameHint}>
        {(control) => (
          <input
            {...control}
            maxLength={50}
            value={variant.name}
            onChange={(event) => onChange({ ...variant, name: event.target.value })}
          />
        )}
      </Field>
      <Weight label={shown.weight} value={variant.weight} onChange={(weight) => onChange({ ...variant, weight })} />
    </Fields>
    {isEmail ? (
      <Subject
        hint={messageText.sameSubject}
        value={variant.subject}
        onChange={(subject) => onChange(withSubject(variant, subject))}
      />
    ) : null}
    <Field label={messageText.body}>
      {(control) => (
        <textarea
          {...control}
          rows={5}
          value={variant.body}
          onChange={(event) => onChange({ ...variant, body: event.target.value })}
        />
      )}
    </Field>
    <p>
      <button type="button" onClick={onRemove}>
        {shown.remove(variant.name)}
      </button>
    </p>
  </div>
)

interface StepTextsProps {
  readonly step: SendStep
  readonly onChange: (step: SequenceStep) => void
}

const Variants = ({ onChange, step }: StepTextsProps) => {
  const variants: ReadonlyArray<StepVariant> = step.variants ?? []
  const change = (next: ReadonlyArray<StepVariant>): void => onChange(withVariants(step, next))
  return (
    <>
      {variants.length === 0 ? null : (
        <Weight label={shown.ownWeight} value={step.weight} onChange={(weight) => onChange({ ...step, weight })} />
      )}
      {/* Texts have no identity besides their position while their names are edited. */}
      {[...variants.entries()].map(([position, variant]) => (
        <Variant
          key={position}
          variant={variant}
          isEmail={step.channel === "email"}
          onChange={(next) => change(variants.with(position, next))}
          onRemove={() => change(variants.toSpliced(position, 1))}
        />
      ))}
      <p>
        <button
          type="button"
          disabled={variants.length >= maxVariants}
          onClick={() => change([...variants, newVariant(step)])}
        >
          {shown.add}
        </button>
      </p>
    </>
  )
}

/** The channel and the texts of a step that sends a message. */
export const StepTexts = ({ onChange, step }: StepTextsProps) => (
  <>
    <Select
      label={messageText.channel}
      value={step.channel}
      options={messageText.channels}
      onChoose={(channel) => onChange(withChannel(step, channel))}
    />
    {step.channel === "email" ? (
      <Subject
        hint={messageText.subjectHint}
        value={step.subject}
        onChange={(subject) => onChange(withSubject(step, subject))}
      />
    ) : null}
    <Field label={messageText.body} hint={messageText.bodyHint}>
      {(control) => (
        <textarea
          {...control}
          rows={5}
          value={step.body}
          onChange={(event) => onChange({ ...step, body: event.target.value })}
        />
      )}
    </Field>
    <Variants step={step} onChange={onChange} />
    <FallbackFields
      channel={step.channel}
      fallback={step.fallback?.[0]}
      onChange={(fallback) => onChange(withFallback(step, fallback))}
    />
  </>
)
