import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { ColumnType, Kind } from "../privacy/Kind.ts"

/** What JSON can say. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** A row by its columns, without its tenant: times in epoch milliseconds, flags as booleans, JSON read. */
export type Row = Readonly<Record<string, Json>>

/** How deep a value may nest; what walks it does so on the stack. Metadata may have 32 levels, and stands in a column. */
const levels = 64

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
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

const toWire = (type: ColumnType, value: Json): Json =>
  type.startsWith("time") && typeof value === "number" ? new Date(value).toISOString() : value

/** One line of an archive and its content hash: SHA-256 over the canonical JSON of everything but the hash itself. */
export const writeRecord = (kind: Kind, row: Row): { readonly line: string; readonly contentHash: string } => {
  const wire = Object.fromEntries(
    Object.entries(kind.columns).map(([column, type]) => [column, toWire(type, row[column] ?? null)])
  )
  const text = canonical(wire)
  const contentHash = hashOf(text)
  return { line: `${text.slice(0, -1)},"content_hash":"${contentHash}"}`, contentHash }
}

/** A value as a row has it; undefined when it is not of that type. */
const fromWire = (type: ColumnType, value: Json | undefined): Json | undefined => {
  // An archive of an earlier version lacks the columns that came later, which may all be empty.
  if (value === null || value === undefined) return type.endsWith("?") ? null : undefined
  switch (type.replace("?", "")) {
    case "text":
      return typeof value === "string" ? value : undefined
    case "integer":
      return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined
    case "flag":
      return typeof value === "boolean" ? value : undefined
    case "time": {
      const millis = typeof value === "string" ? Date.parse(value) : Number.NaN
      return Number.isNaN(millis) || new Date(millis).toISOString() !== value ? undefined : millis
    }
    default:
      return value
  }
}

/** What was read of a line: the row, or what is wrong with it. */
export type ReadRecord =
  | { readonly row: Row; readonly contentHash: string; readonly problem: null }
  | { readonly problem: string }

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Reads a line of an archive. Total: whatever it says, it ends as a row or as a problem. */
export const readRecord = (kind: Kind, line: string): ReadRecord => {
  const value = parse(line)
  if (!isObject(value)) return { problem: "is not a JSON object" }
  const { content_hash: given, ...wire } = value
  if (!isJson(wire) || Array.isArray(wire) || !isObject(wire)) return { problem: "nests too deep" }
  const unknown = Object.keys(wire).find((column) => !Object.hasOwn(kind.columns, column))
  if (unknown !== undefined) return { problem: `has a field ${unknown}, which this version does not know` }
  const row: Record<string, Json> = {}
  for (const [column, type] of Object.entries(kind.columns)) {
    const held = fromWire(type, wire[column])
    if (held === undefined) return { problem: `has no usable ${column}` }
    row[column] = held
  }
  const contentHash = hashOf(canonical(wire))
  if (given !== contentHash) return { problem: "does not have the content that its content_hash stands for" }
  return { row, contentHash, problem: null }
}

/** One text for the key of a row. */
export const rowKey = ({ key }: Pick<Kind, "key">, row: Row): string => JSON.stringify(key.map((column) => row[column]))

/** A column that holds text; empty where it does not. */
export const textOf = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === "string" ? value : ""
}
