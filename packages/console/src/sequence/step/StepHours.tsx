import type { SequenceStep } from "@leadloom/client"
import { Field } from "../../component/Field.tsx"
import { Row } from "../../component/Page.tsx"
import { editorText } from "../../text/sequence/Editor.ts"

type Period = NonNullable<SequenceStep["window"]>[number]
type Day = Period["days"][number]

const office: Period = { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }

const isDay = (name: string): name is Day => Object.hasOwn(editorText.days, name)
const days = Object.keys(editorText.days).filter(isDay)

interface PeriodProps {
  readonly period: Period
  readonly onChange: (period: Period) => void
}

const PeriodFields = ({ onChange, period }: PeriodProps) => {
  const toggle = (day: Day, isOn: boolean): void =>
    onChange({ ...period, days: days.filter((one) => (one === day ? isOn : period.days.includes(one))) })
  return (
    <>
      <Row label={editorText.hours}>
        {days.map((day) => (
          <label key={day}>
            <input
              type="checkbox"
              checked={period.days.includes(day)}
              onChange={(event) => toggle(day, event.target.checked)}
            />
            {editorText.days[day]}
          </label>
        ))}
      </Row>
      <Row>
        {(["from", "to"] as const).map((end) => (
          <Field key={end} label={editorText[end]}>
            {(control) => (
              // No time control, because the end of the day is 24:00.
              <input
                {...control}
                size={5}
                value={period[end]}
                onChange={(event) => onChange({ ...period, [end]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </Row>
    </>
  )
}

interface StepHoursProps {
  readonly step: SequenceStep
  readonly onChange: (step: SequenceStep) => void
}

/** The hours in which a step may run. Several periods are edited as JSON. */
export const StepHours = ({ onChange, step }: StepHoursProps) => {
  const { window: periods = [], ...always } = step
  const [period, ...others] = periods
  const setPeriods = (next: ReadonlyArray<Period>): void =>
    onChange(next.length === 0 ? always : { ...always, window: next })
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={period !== undefined}
          onChange={(event) => setPeriods(event.target.checked ? [office] : [])}
        />{" "}
        {editorText.hours}
      </label>
      {period === undefined ? null : others.length > 0 ? (
        <p>{editorText.periods}</p>
      ) : (
        <PeriodFields period={period} onChange={(next) => setPeriods([next])} />
      )}
    </>
  )
}
