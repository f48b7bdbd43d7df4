import { Effect, Schema, Stream } from "effect"
import { FieldValue } from "../../domain/field/FieldValues.ts"
import { maxCallResponseBytes } from "../../domain/rule/action/CallWebhook.ts"
import { isJson, type Json } from "../../domain/text/Json.ts"
import { valueAt } from "../../domain/text/JsonPointer.ts"

/** The value of one custom field from a response, or the reason why there is none. */
export type FoundValue =
  | { readonly field: string; readonly value: FieldValue | null }
  | { readonly field: string; readonly problem: string }

const isFieldValue = Schema.is(Schema.NullOr(FieldValue))

const parse = (text: string): Json | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    return isJson(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

const find = (document: Json, field: string, pointer: string): FoundValue => {
  const value = valueAt(document, pointer)
  if (value === undefined) return { field, problem: `the response has no ${pointer}` }
  return isFieldValue(value)
    ? { field, value }
    : { field, problem: `${pointer} is an object or a list of other values` }
}

/**
 * Returns the values that an action stores. A response that is too long, or no JSON of a limited depth, has none of them.
 * The values are not checked against their fields yet.
 */
export const readCallResponse = Effect.fnUntraced(function* (
  store: Readonly<Record<string, string>>,
  body: Uint8Array
) {
  const wanted = Object.entries(store)
  const none = (problem: string) => wanted.map(([field]): FoundValue => ({ field, problem }))
  if (wanted.length === 0) return []
  if (body.length > maxCallResponseBytes) return none(`the response exceeds ${maxCallResponseBytes / 1_024} KiB`)
  const document = parse(yield* Stream.mkString(Stream.decodeText(Stream.make(body))))
  if (document === undefined) return none("the response is not JSON")
  return wanted.map(([field, pointer]) => find(document, field, pointer))
})
