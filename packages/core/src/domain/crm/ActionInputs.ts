import { Effect } from "effect"
import { TaggedError } from "../TaggedError.ts"

/** The inputs of an action, from the custom fields of a CRM workflow. Most values are text, including numbers. */
export type ActionInputs = Readonly<Record<string, unknown>>

/** An input of an action is missing or invalid. */
export class CrmInputInvalid extends TaggedError("CrmInputInvalid")<{
  readonly field: string
  readonly reason: string
}> {}

const invalid = (field: string, reason: string) => Effect.fail(new CrmInputInvalid({ field, reason }))

/**
 * Returns the text of an input. Returns null if the input is empty or absent, because workflows also send fields
 * without a value.
 */
export const optionalText = Effect.fnUntraced(function* (inputs: ActionInputs, field: string, maxLength = 10_000) {
  const value = Object.hasOwn(inputs, field) ? inputs[field] : null
  if (value === null || value === undefined) return null
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
    return yield* invalid(field, "Expected a text.")
  }
  const text = String(value).toWellFormed().replaceAll("\0", "\uFFFD").trim()
  if (text.length > maxLength) return yield* invalid(field, `Expected at most ${maxLength} characters.`)
  return text === "" ? null : text
})

/** Returns the text of a required input. Fails with `CrmInputInvalid` if it is empty. */
export const requiredText = Effect.fnUntraced(function* (inputs: ActionInputs, field: string, maxLength?: number) {
  return (yield* optionalText(inputs, field, maxLength)) ?? (yield* invalid(field, "This input is required."))
})

/**
 * Returns one of the choices, or `defaultValue` if the input is empty. Ignores case, and accepts spaces in place of
 * underscores.
 */
export const choice = Effect.fnUntraced(function* <const Choice extends string>(
  inputs: ActionInputs,
  field: string,
  choices: ReadonlyArray<Choice>,
  defaultValue: Choice
) {
  const text = yield* optionalText(inputs, field)
  if (text === null) return defaultValue
  const chosen = choices.find((one) => one === text.toLowerCase().replaceAll(" ", "_"))
  return chosen ?? (yield* invalid(field, `Expected one of ${choices.join(", ")}.`))
})

/** Returns a whole number from 0 to `max`, or null if the input is empty. */
export const optionalNumber = Effect.fnUntraced(function* (inputs: ActionInputs, field: string, max: number) {
  const text = yield* optionalText(inputs, field)
  if (text === null) return null
  const number = /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN
  return number <= max ? number : yield* invalid(field, `Expected a whole number from 0 to ${max}.`)
})
