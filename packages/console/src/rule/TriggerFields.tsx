import type { Rule, Trigger } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { type Control, Field, Fields } from "../component/Field.tsx"
import { actionFormText } from "../text/Actions.ts"
import { nameOf } from "../text/Conditions.ts"
import { ruleText, triggerText } from "../text/Rules.ts"
import { triggerFormText as shown } from "../text/rule/Triggers.ts"
import { fieldsOf, type TriggerField, triggerTypeOf, withField, withTriggerType } from "./TriggerForm.ts"

interface ControlProps {
  readonly control: Control
  readonly value: string
  readonly onChange: (value: string) => void
}

const useRecords = (kind: "segment" | "sequence") => {
  const { client, tenantId } = useConnection()
  return useQuery({
    queryKey: [tenantId, kind, "of-triggers"] as const,
    queryFn: async ({ signal }) =>
      kind === "segment"
        ? (await client.segments.list(tenantId, { signal })).segments
        : (await client.sequences.list(tenantId, { signal })).sequences,
    gcTime: 0
  })
}

/** The segments or sequences by name. A deleted one stays visible until another one is chosen. */
const RecordControl = ({
  control,
  kind,
  onChange,
  value
}: ControlProps & { readonly kind: "segment" | "sequence" }) => {
  const { data } = useRecords(kind)
  const found = data ?? []
  const isListed = value === "" || found.some(({ id }) => id === value)
  return (
    <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{shown.none[kind]}</option>
      {isListed ? null : <option value={value}>{data === undefined ? value : shown.deleted[kind](value)}</option>}
      {found.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

const FieldControl = ({ field, ...props }: ControlProps & { readonly field: TriggerField }) => {
  const { control, onChange, value } = props
  const { empty, form, isOptional } = field
  if (form === "segment" || form === "sequence") return <RecordControl {...props} kind={form} />
  if (typeof form === "string")
    return <input {...control} type={form} value={value} onChange={(event) => onChange(event.target.value)} />
  return (
    <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
      {isOptional === true ? <option value="">{empty === undefined ? shown.any : shown[empty]}</option> : null}
      {form.map((option) => (
        <option key={option} value={option}>
          {nameOf(actionFormText.options, option)}
        </option>
      ))}
    </select>
  )
}

interface TriggerFormProps {
  readonly trigger: Trigger
  readonly fields: ReadonlyArray<TriggerField>
  readonly onChange: (trigger: Trigger) => void
}

const TriggerForm = ({ fields, onChange, trigger }: TriggerFormProps) => {
  const values = new Map(Object.entries(trigger))
  return (
    <Fields>
      {fields.map((field) => (
        <Field
          key={field.name}
          label={shown.fields[field.name]}
          hint={new Map(Object.entries(shown.hints)).get(field.name)}
        >
          {(control) => (
            <FieldControl
              control={control}
              field={field}
              value={String(values.get(field.name) ?? "")}
              onChange={(next) =>
                onChange(withField(trigger, field, field.form === "number" && next !== "" ? Number(next) : next))
              }
            />
          )}
        </Field>
      ))}
    </Fields>
  )
}

interface TriggerFieldsProps {
  readonly rule: Rule
  readonly onChange: (rule: Rule) => void
}

/** The trigger of a rule, and its fields. */
export const TriggerFields = ({ onChange, rule }: TriggerFieldsProps) => {
  const type = triggerTypeOf(rule)
  const fields = fieldsOf(type)
  const help = new Map(Object.entries(shown.help)).get(type)
  return (
    <>
      <Field label={shown.trigger} hint={help}>
        {(control) => (
          <select {...control} value={type} onChange={(event) => onChange(withTriggerType(rule, event.target.value))}>
            {fields === null ? <option value={type}>{type}</option> : null}
            {Object.entries(shown.types).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      {fields === null ? <p>{ruleText.triggered(triggerText(rule))}</p> : null}
      {fields === null || fields.length === 0 || rule.trigger === undefined ? null : (
        <TriggerForm
          key={type}
          trigger={rule.trigger}
          fields={fields}
          onChange={(trigger) => onChange({ ...rule, trigger })}
        />
      )}
    </>
  )
}
