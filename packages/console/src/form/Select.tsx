import { Field } from "../component/Field.tsx"

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: Readonly<Record<Value, string>>
  readonly onChoose: (value: Value) => void
}

/** A choice between the values of a type. */
export const Select = <Value extends string>({ label, onChoose, options, value }: SelectProps<Value>) => (
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
