import { canonical, hashOf, isJson, isObject, type Json } from "../text/Json.ts"
import type { ColumnType, PersonalDataTable } from "./PersonalDataTable.ts"

/** A row by its columns, without its tenant: times in epoch milliseconds, flags as booleans, JSON read. */
export type Row = Readonly<Record<string, Json>>

const toWire = (type: ColumnType, value: Json): Json =>
  type.startsWith("time") && typeof value === "number" ? new Date(value).toISOString() : value

/** One line of an archive and its content hash: SHA-256 over the canonical JSON of everything but the hash itself. */
export const writeRecord = (
  table: PersonalDataTable,
  row: Row
): { readonly line: string; readonly contentHash: string } => {
  const wire = Object.fromEntries(
    Object.entries(table.columns).map(([column, type]) => [column, toWire(type, row[column] ?? null)])
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
export const readRecord = (table: PersonalDataTable, line: string): ReadRecord => {
  const value = parse(line)
  if (!isObject(value)) return { problem: "is not a JSON object" }
  const { content_hash: given, ...wire } = value
  if (!isJson(wire) || Array.isArray(wire) || !isObject(wire)) return { problem: "nests too deep" }
  const unknown = Object.keys(wire).find((column) => !Object.hasOwn(table.columns, column))
  if (unknown !== undefined) return { problem: `has a field ${unknown}, which this version does not know` }
  const row: Record<string, Json> = {}
  for (const [column, type] of Object.entries(table.columns)) {
    const held = fromWire(type, wire[column])
    if (held === undefined) return { problem: `has no usable ${column}` }
    row[column] = held
  }
  const contentHash = hashOf(canonical(wire))
  if (given !== contentHash) return { problem: "does not have the content that its content_hash stands for" }
  return { row, contentHash, problem: null }
}

/** One text for the key of a row. */
export const rowKey = ({ key }: Pick<PersonalDataTable, "key">, row: Row): string =>
  JSON.stringify(key.map((column) => row[column]))

/** A column that holds text; empty where it does not. */
export const textOf = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === "string" ? value : ""
}
