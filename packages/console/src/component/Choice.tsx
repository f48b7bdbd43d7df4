import { text } from "../text/Shared.ts"

interface ChoiceProps {
  readonly label: string
  readonly value: string | undefined
  /** The shown names of the values. */
  readonly options: Readonly<Record<string, string>>
  readonly onChoose: (value: string) => void
  /** The text of the choice that filters nothing. */
  readonly any?: string
}

/** One filter of a list: a native select whose first entry filters nothing. */
export const Choice = ({ any = text.any, label, onChoose, options, value }: ChoiceProps) => (
  <select aria-label={label} value={value ?? ""} onChange={(event) => onChoose(event.target.value)}>
    <option value="">
      {label}: {any}
    </option>
    {Object.entries(options).map(([name, shown]) => (
      <option key={name} value={name}>
        {shown}
      </option>
    ))}
  </select>
)
