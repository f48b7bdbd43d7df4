import { Data, Effect } from "effect"

/** What a workflow of the CRM fills in: fields of its own making, mostly texts, also where they mean a number. */
export type ActionInputs = Readonly<Record<string, unknown>>

/** An input of an action is missing or cannot be meant. */
export class CrmInputInvalid extends Data.TaggedError("CrmInputInvalid")<{
  readonly field: string
  readonly reason: string
}> {}

const invalid = (field: string, reason: string) => Effect.fail(new CrmInputInvalid({ field, reason }))

/** The text of an input, or null where it is empty or absent: workflows send the fields that nobody filled in, too. */
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

/** The same, where the action cannot do without. */
export const requiredText = Effect.fnUntraced(function* (inputs: ActionInputs, field: string, maxLength?: number) {
  return (yield* optionalText(inputs, field, maxLength)) ?? (yield* invalid(field, "This input is required."))
})

/** One of the texts that an input may be, or `usual` where it is empty; in any case, with blanks for underscores. */
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

/** A whole number from 0 to `most`, or null where the input is empty. */
export const optionalNumber = Effect.fnUntraced(function* (inputs: ActionInputs, field: string, max: number) {
  const text = yield* optionalText(inputs, field)
  if (text === null) return null
  const number = /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN
  return number <= max ? number : yield* invalid(field, `Expected a whole number from 0 to ${max}.`)
})
