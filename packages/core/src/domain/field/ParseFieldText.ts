import type { CustomField } from "./CustomField.ts"
import type { FieldValue } from "./FieldValues.ts"
import { joinValues, splitValues } from "./ValueList.ts"

const yes = new Set(["true", "yes", "1"])
const no = new Set(["false", "no", "0"])
/** Matches the numbers that people write, and all that JavaScript writes. */
const numberPattern = /^[+-]?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/iu

/**
 * Converts a text, such as a cell of a spreadsheet, to the type of a custom field. A text that the type cannot have is
 * returned unchanged, so that the check of the value (`setFieldValues`) reports it.
 */
export const parseFieldText = ({ type }: Pick<CustomField, "type">, text: string): FieldValue => {
  const trimmed = text.trim()
  const word = trimmed.toLowerCase()
  switch (type) {
    case "number":
      return numberPattern.test(trimmed) ? Number(trimmed) : trimmed
    case "boolean":
      return yes.has(word) ? true : no.has(word) ? false : trimmed
    case "multi_select":
      return splitValues(trimmed)
        .map((one) => one.trim())
        .filter((one) => one !== "")
    default:
      return trimmed
  }
}

/** Returns the text from which `parseFieldText` reads a value. */
export const formatFieldText = (value: FieldValue): string =>
  typeof value === "object" ? joinValues(value) : String(value)
