import type { CustomField, SequenceStep, WaitUntil, WaitUntilDate } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../../app/Connection.ts"
import { Field, Fields } from "../../component/Field.tsx"
import { customFieldsOptions, fieldsOf } from "../../form/CustomFields.ts"
import { editorText } from "../../text/sequence/Editor.ts"
import { Select } from "../../form/Select.tsx"
import type { WaitStep } from "./StepText.ts"

const { until: shown } = editorText

type Kind = keyof typeof shown.kinds

const kindOf = (until: WaitUntil | undefined): Kind =>
  until === undefined ? "delay" : "field" in until ? "date" : "time"

/** Returns the end of a wait with which a kind starts. */
const startOf = (kind: Kind, [date]: ReadonlyArray<CustomField>): WaitUntil | undefined => {
  if (kind === "time") return { time: "09:00" }
  return kind === "date" ? { field: date?.key ?? "" } : undefined
}

const withUntil = ({ until: _, ...step }: WaitStep, until: WaitUntil | undefined): WaitStep =>
  until === undefined ? step : { ...step, until }

interface TimeProps {
  readonly value: string
  readonly hint: string
  readonly onChange: (time: string) => void
}

const Time = ({ hint, onChange, value }: TimeProps) => (
  <Field label={shown.time} hint={hint}>
    {(control) => <input {...control} size={5} value={value} onChange={(event) => onChange(event.target.value)} />}
  </Field>
)

interface DateProps {
  readonly until: WaitUntilDate
  readonly dates: ReadonlyArray<CustomField>
  readonly onChange: (until: WaitUntilDate) => void
}

const DateFields = ({ dates, onChange, until }: DateProps) => {
  const { days: _, ...withoutDays } = until
  const { time: __, ...withoutTime } = until
  // A deleted field stays visible. The server refuses it at the save.
  const isListed = until.field === "" || dates.some(({ key }) => key === until.field)
  return (
    <Fields>
      <Field label={shown.field} hint={dates.length === 0 ? shown.noFields : undefined}>
        {(control) => (
          <select
            {...control}
            value={until.field}
            onChange={(event) => onChange({ ...until, field: event.target.value })}
          >
            {until.field === "" ? <option value="">{shown.chooseField}</option> : null}
            {isListed ? null : <option value={until.field}>{until.field}</option>}
            {dates.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={shown.days} hint={shown.daysHint}>
        {(control) => (
          <input
            {...control}
            type="number"
            min={-365}
            max={365}
            value={until.days ?? 0}
            onChange={({ target: { value } }) =>
              onChange(Number(value) === 0 ? withoutDays : { ...until, days: Number(value) })
            }
          />
        )}
      </Field>
      <Time
        hint={shown.dateTimeHint}
        value={until.time ?? ""}
        onChange={(time) => onChange(time === "" ? withoutTime : { ...until, time })}
      />
      <Select
        label={shown.otherwise}
        value={until.otherwise ?? "stop"}
        options={shown.otherwises}
        onChoose={(otherwise) => onChange({ ...until, otherwise })}
      />
    </Fields>
  )
}

interface StepUntilProps {
  readonly step: WaitStep
  readonly onChange: (step: SequenceStep) => void
}

/** The end of a wait: its delay, a time of day, or a date of the contact. */
export const StepUntil = ({ onChange, step }: StepUntilProps) => {
  const fields = useQuery(customFieldsOptions(useConnection()))
  const dates = fieldsOf(fields.data, "contact").filter(({ type }) => type === "date")
  const { until } = step
  const change = (next: WaitUntil | undefined): void => onChange(withUntil(step, next))
  return (
    <>
      <Select
        label={shown.kind}
        value={kindOf(until)}
        options={shown.kinds}
        onChoose={(kind) => change(startOf(kind, dates))}
      />
      {until === undefined ? null : "field" in until ? (
        <DateFields until={until} dates={dates} onChange={change} />
      ) : (
        <Time hint={shown.timeHint} value={until.time} onChange={(time) => change({ time })} />
      )}
    </>
  )
}
