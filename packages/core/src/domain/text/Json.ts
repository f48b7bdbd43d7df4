import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** What JSON can say. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** How deep a value may nest; what walks it does so on the stack. Metadata may have 32 levels, and stands in a column. */
const levels = 64

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a value is what JSON can say, no deeper than this house looks. */
export const isJson = (value: unknown, left: number = levels): value is Json => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || left === 0) return false
  return Object.values(value).every((inner) => isJson(inner, left - 1))
}

/** A text that every database holds: NUL and half surrogates, which Postgres cannot, become U+FFFD on the way out. */
const plain = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed()

const byKey = ([one]: readonly [string, string], [other]: readonly [string, string]): number => (one < other ? -1 : 1)

/** FROZEN. JSON without white space, keys in the order of their UTF-16 units: one text for one value. */
export const canonical = (value: Json): string => {
  if (typeof value === "string") return JSON.stringify(plain(value))
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((inner: Json) => canonical(inner)).join(",")}]`
  const entries = Object.entries(value).map(([key, inner]) => [JSON.stringify(plain(key)), canonical(inner)] as const)
  return `{${entries
    .toSorted(byKey)
    .map(([key, inner]) => `${key}:${inner}`)
    .join(",")}}`
}

/** SHA-256 in lower-case hex. */
export const hashOf = (content: string | Uint8Array): string =>
  bytesToHex(sha256(typeof content === "string" ? utf8ToBytes(content) : content))

/**
 * Applies a JSON merge patch (RFC 7396, section 2): `null` takes a field away, objects are merged, everything else
 * replaces what was there, lists as a whole. The depth is the caller's to bound.
 */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  // Not assignments: a field may be called `__proto__`.
  return Object.fromEntries(merged)
}
