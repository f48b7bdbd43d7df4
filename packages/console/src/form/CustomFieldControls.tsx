import { text } from "../text/Shared.ts"
import { Field } from "../component/Field.tsx"

/** The value of a custom field. */
export type FieldValue = string | number | boolean | ReadonlyArray<string>

/** The definition of a custom field. */
export interface FieldDefinition {
  readonly key: string
  readonly label: string
  readonly type: "text" | "number" | "date" | "boolean" | "select" | "multi_select" | "url" | "user"
  readonly options: ReadonlyArray<string>
  readonly required: boolean
}

/** The name of the control of a custom field in its form. */
export const controlName = (key: string): string => `field.${key}`

const inputTypes = { text: "text", number: "number", date: "date", url: "url", user: "text" } as const

interface ControlProps {
  readonly field: FieldDefinition
  readonly value: FieldValue | undefined
  readonly id: string
}

const Choices = ({ field, id, value }: ControlProps) => {
  const isMultiple = field.type === "multi_select"
  const options = field.type === "boolean" ? ["true", "false"] : field.options
  const shown = field.type === "boolean" ? [text.yes, text.no] : field.options
  const selected = Array.isArray(value) ? value : String(value ?? "")
  return (
    <select
      id={id}
      name={controlName(field.key)}
      multiple={isMultiple}
      defaultValue={isMultiple ? [...selected] : selected}
    >
      {isMultiple ? null : <option value="">{text.none}</option>}
      {options.map((option, index) => (
        <option key={option} value={option}>
          {shown[index]}
        </option>
      ))}
    </select>
  )
}

const Control = ({ field, id, value }: ControlProps) => {
  const { key, type } = field
  if (type === "boolean" || type === "select" || type === "multi_select") {
    return <Choices field={field} id={id} value={value} />
  }
  return (
    <input
      id={id}
      name={controlName(key)}
      type={inputTypes[type]}
      step={type === "number" ? "any" : undefined}
      defaultValue={String(value ?? "")}
    />
  )
}

interface CustomFieldControlsProps {
  readonly fields: ReadonlyArray<FieldDefinition>
  readonly values: Readonly<Record<string, FieldValue>>
}

/** The controls of custom fields, as parts of a form. */
export const CustomFieldControls = ({ fields, values }: CustomFieldControlsProps) =>
  fields.map((field) => (
    <Field key={field.key} label={field.label} hint={field.type === "multi_select" ? text.multipleHint : undefined}>
      {({ id }) => <Control field={field} id={id} value={values[field.key]} />}
    </Field>
  ))
