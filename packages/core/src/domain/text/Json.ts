/**
 * Functions for JSON, bytes and text that have no business meaning. Formats of email addresses and phone numbers belong
 * to `domain/address` and `domain/email`. Tests: `packages/core/test/domain/text`.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** A JSON value. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }

/**
 * The maximum depth of a value. It is limited, because functions visit values recursively. It is twice the depth that
 * metadata may have within a column.
 */
const levels = 64

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns true for a JSON value within the maximum depth. */
export const isJson = (value: unknown, left: number = levels): value is Json => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || left === 0) return false
  return Object.values(value).every((inner) => isJson(inner, left - 1))
}

/** Replaces NUL and unpaired surrogates with U+FFFD, because Postgres cannot store them. */
const plain = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed()

const byKey = ([one]: readonly [string, string], [other]: readonly [string, string]): number => (one < other ? -1 : 1)

/**
 * FROZEN. Returns canonical JSON: no white space, and keys in the order of their UTF-16 units. Equal values have equal
 * canonical JSON.
 */
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

/** Returns SHA-256 in lower-case hexadecimal. */
export const hashOf = (content: string | Uint8Array): string =>
  bytesToHex(sha256(typeof content === "string" ? utf8ToBytes(content) : content))

/**
 * Applies a JSON merge patch (RFC 7396, section 2). `null` removes a field, and objects are merged. Other values,
 * including lists, replace the old value. The caller must limit the depth.
 */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  // Built from entries, because an assignment to a field with the name `__proto__` would change the prototype.
  return Object.fromEntries(merged)
}
