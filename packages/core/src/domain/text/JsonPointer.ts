import type { Json } from "./Json.ts"

/** The maximum length of a JSON Pointer, in characters. */
export const maxJsonPointerLength = 200

/** A JSON Pointer: nothing, or reference tokens that each begin with `/` (RFC 6901 section 3). */
const pointerShape = /^(?:\/(?:[^~/]|~[01])*)*$/u

/** Returns whether a text is a JSON Pointer (RFC 6901). The empty text names the whole document. */
export const isJsonPointer = (text: string): boolean => text.length <= maxJsonPointerLength && pointerShape.test(text)

/** An index of an array (RFC 6901 section 4): a number without leading zeros. */
const indexShape = /^(?:0|[1-9]\d{0,9})$/u

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

const childOf = (value: Json, token: string): Json | undefined => {
  if (value === null || typeof value !== "object") return undefined
  if (isList(value)) return indexShape.test(token) ? value[Number(token)] : undefined
  return Object.hasOwn(value, token) ? (value as Readonly<Record<string, Json>>)[token] : undefined
}

/** Returns the value that a JSON Pointer names in a document. Returns undefined if there is none. */
export const valueAt = (document: Json, pointer: string): Json | undefined => {
  let value: Json | undefined = document
  for (const token of pointer.split("/").slice(1)) {
    if (value === undefined) return undefined
    // `~1` is decoded first, so that `~01` becomes `~1` (RFC 6901 section 4).
    value = childOf(value, token.replaceAll("~1", "/").replaceAll("~0", "~"))
  }
  return value
}
