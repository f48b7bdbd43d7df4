import type { Sequence, SequenceStep } from "@leadloom/client"
import { Arrow } from "../component/Arrow.tsx"
import { Field } from "../component/Field.tsx"
import { Row } from "../component/Page.tsx"
import blocks from "../design/Blocks.module.css"
import { type MoveStep, useMovedFocus } from "../form/MovedFocus.ts"
import { editorText } from "../text/sequence/Editor.ts"
import { sequenceText } from "../text/sequence/Sequence.ts"
import { asSteps, newStep, type SequenceFields } from "./Fields.ts"
import { LimitFields } from "./LimitFields.tsx"
import { StepFields } from "./step/StepFields.tsx"

/** The maximum number of steps, as in the API. */
const maxSteps = 50

type Stop = Sequence["stop_on"][number]

const isStop = (name: string): name is Stop => Object.hasOwn(sequenceText.stopOn, name)
const stops = Object.keys(sequenceText.stopOn).filter(isStop)

interface FormProps {
  readonly fields: SequenceFields
  readonly onChange: (fields: SequenceFields) => void
}

const Stops = ({ fields, onChange }: FormProps) => {
  const toggle = (stop: Stop, isOn: boolean): void =>
    onChange({ ...fields, stop_on: stops.filter((one) => (one === stop ? isOn : fields.stop_on.includes(one))) })
  return (
    <Row label={editorText.stops}>
      <span>{editorText.stops}:</span>
      {stops.map((stop) => (
        <label key={stop}>
          <input
            type="checkbox"
            checked={fields.stop_on.includes(stop)}
            onChange={(event) => toggle(stop, event.target.checked)}
          />
          {sequenceText.stopOn[stop]}
        </label>
      ))}
    </Row>
  )
}

interface HeadProps {
  readonly name: string
  readonly position: number
  readonly size: number
  readonly onMove: (step: MoveStep) => void
  readonly onRemove: () => void
}

const StepHead = ({ name, onMove, onRemove, position, size }: HeadProps) => (
  <div className={blocks.line}>
    <strong>{editorText.step(position + 1, name)}</strong>
    {(["up", "down"] as const).map((step) => (
      <button
        key={step}
        type="button"
        data-step={step}
        aria-label={editorText[step](position + 1, name)}
        aria-disabled={position === (step === "up" ? 0 : size - 1)}
        onClick={() => onMove(step)}
      >
        <Arrow to={step} />
      </button>
    ))}
    <button type="button" disabled={size === 1} onClick={onRemove}>
      {editorText.remove(position + 1, name)}
    </button>
  </div>
)

const Steps = ({ fields, onChange }: FormProps) => {
  const [list, focusMoved] = useMovedFocus<HTMLOListElement>()
  const { steps } = fields
  const change = (next: ReadonlyArray<SequenceStep>): void => {
    const changed = asSteps(next)
    if (changed !== null) onChange({ ...fields, steps: changed })
  }
  const move = (position: number, step: MoveStep): void => {
    const target = position + (step === "up" ? -1 : 1)
    const [moved, neighbour] = [steps[position], steps[target]]
    if (moved === undefined || neighbour === undefined) return
    focusMoved(target, step)
    change(steps.with(position, neighbour).with(target, moved))
  }
  return (
    <>
      <ol ref={list} className={blocks.list}>
        {/* Steps have no identity besides their position while their names are edited. */}
        {[...steps.entries()].map(([position, step]) => (
          <li key={position}>
            <div className={blocks.group} role="group" aria-label={editorText.step(position + 1, step.name)}>
              <StepHead
                name={step.name}
                position={position}
                size={steps.length}
                onMove={(direction) => move(position, direction)}
                onRemove={() => change(steps.toSpliced(position, 1))}
              />
              <StepFields step={step} onChange={(next) => change(steps.with(position, next))} />
            </div>
          </li>
        ))}
      </ol>
      <p>
        <button type="button" disabled={steps.length >= maxSteps} onClick={() => change([...steps, newStep(steps)])}>
          {editorText.add}
        </button>
      </p>
    </>
  )
}

/** The form of a sequence: name, conditions, steps and limits. */
export const SequenceForm = ({ fields, onChange }: FormProps) => (
  <>
    <Field label={editorText.name}>
      {(control) => (
        <input
          {...control}
          maxLength={200}
          value={fields.name}
          onChange={(event) => onChange({ ...fields, name: event.target.value })}
        />
      )}
    </Field>
    <Stops fields={fields} onChange={onChange} />
    <Steps fields={fields} onChange={onChange} />
    <LimitFields fields={fields} onChange={onChange} />
  </>
)
