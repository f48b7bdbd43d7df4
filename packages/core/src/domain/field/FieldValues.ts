import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { type CustomField, maxFieldOptions } from "./CustomField.ts"

const Options = Schema.Array(Schema.String).check(Schema.isMaxLength(maxFieldOptions))
/** The value of one custom field. */
export const FieldValue = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Options])
export type FieldValue = typeof FieldValue.Type

/** The values of a record's custom fields, by key. A field without a value is absent. */
export const FieldValues = Schema.Record(Schema.String, FieldValue)
export type FieldValues = typeof FieldValues.Type

/** The custom fields to change, by key. Null removes a value, and an absent field stays unchanged. */
export const FieldChanges = Schema.Record(Schema.String, Schema.NullOr(FieldValue))
export type FieldChanges = typeof FieldChanges.Type

/** The limit of characters of a text, and of a URL. */
export const maxFieldText = 1_000

/** A value of a custom field is invalid, or a required field has no value. */
export class FieldValueInvalid extends TaggedError("FieldValueInvalid")<{
  readonly key: string
  readonly reason: string
}> {}

const datePattern = /^\d{4}-\d\d-\d\d$/u
/** A scheme that cannot run code, a host and no white space. Links of agents need no further check. */
const webUrlPattern = /^https?:\/\/[^\s/?#@<>"]+(?:[/?#][^\s<>"]*)?$/iu
const userPattern = /^usr_[0-9a-z]{26}$/u

const isDate = (text: string): boolean => {
  if (!datePattern.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const isShort = (value: FieldValue): value is string => typeof value === "string" && value.length <= maxFieldText

const areOptions = (value: FieldValue, options: ReadonlyArray<string>): boolean =>
  Array.isArray(value) && new Set(value).size === value.length && value.every((one) => options.includes(one))

/** Returns what the field expects if the value is invalid; null if it is valid. */
const expectation = ({ options, type }: CustomField, value: FieldValue): string | null => {
  const oneOf = () => `of ${options.slice(0, 10).join(", ")}${options.length > 10 ? ", …" : ""}`
  switch (type) {
    case "text":
      return isShort(value) ? null : `a text of at most ${maxFieldText} characters`
    case "number":
      return typeof value === "number" ? null : "a number"
    case "boolean":
      return typeof value === "boolean" ? null : "true or false"
    case "date":
      return typeof value === "string" && isDate(value) ? null : "a date in the form YYYY-MM-DD"
    case "url":
      return isShort(value) && webUrlPattern.test(value)
        ? null
        : `an http or https URL of at most ${maxFieldText} characters`
    case "user":
      return typeof value === "string" && userPattern.test(value) ? null : "the id of a user (`usr_…`)"
    case "select":
      return typeof value === "string" && options.includes(value) ? null : `one ${oneOf()}`
    case "multi_select":
      return areOptions(value, options) ? null : `a list without duplicates ${oneOf()}`
  }
}

/** Replaces characters that databases do not store reliably: NUL and unpaired surrogates. */
const storable = (value: FieldValue): FieldValue =>
  typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\uFFFD") : value

const isEmpty = (value: FieldValue | null): boolean =>
  value === null || (typeof value === "string" && value.trim() === "") || (Array.isArray(value) && value.length === 0)

/**
 * Applies changes to the custom fields of a record and returns all values. A blank text or empty list removes the
 * value. Returns `FieldValueInvalid` for an unknown field, a value of another type, and a required field without a
 * value. A value whose field was deleted stays until a change removes it.
 */
export const setFieldValues = (
  definitions: ReadonlyArray<CustomField>,
  current: FieldValues,
  changes: FieldChanges
): FieldValues | FieldValueInvalid => {
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]))
  const values = new Map(Object.entries(current))
  for (const [key, value] of Object.entries(changes)) {
    const definition = byKey.get(key)
    if (definition === undefined && !(value === null && values.has(key))) {
      return new FieldValueInvalid({ key, reason: "There is no such custom field. Create it first: POST …/fields" })
    }
    if (value === null || isEmpty(value)) {
      values.delete(key)
      continue
    }
    const expected = definition === undefined ? null : expectation(definition, value)
    if (expected !== null) return new FieldValueInvalid({ key, reason: `Expected ${expected}.` })
    values.set(key, storable(value))
  }
  const missing = definitions.find(({ key, required }) => required && !values.has(key))
  if (missing !== undefined) return new FieldValueInvalid({ key: missing.key, reason: "This field is required." })
  return Object.fromEntries(values)
}
