import { canonical, hashOf, isJson, isObject, type Json } from "../text/Json.ts"
import type { ColumnType } from "../Column.ts"
import type { PersonalDataTable } from "./PersonalDataTable.ts"

/** A row without its tenant: times in epoch milliseconds, flags as booleans, JSON parsed. */
export type Row = Readonly<Record<string, Json>>

const toWire = (type: ColumnType, value: Json): Json =>
  type.startsWith("time") && typeof value === "number" ? new Date(value).toISOString() : value

/** Writes a row as a line of an archive. The content hash is SHA-256 of the canonical JSON of all other fields. */
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

/** Converts a value of an archive to its form in a row. Returns undefined when the value has the wrong type. */
const fromWire = (type: ColumnType, value: Json | undefined): Json | undefined => {
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

/** The result of reading a line: a row or an error. */
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

/** Reads a line of an archive. It never throws: each line yields a row or an error. */
export const readRecord = (table: PersonalDataTable, line: string): ReadRecord => {
  const value = parse(line)
  if (!isObject(value)) return { problem: "is not a JSON object" }
  const { content_hash: given, ...wire } = value
  if (!isJson(wire) || Array.isArray(wire) || !isObject(wire)) return { problem: "is nested too deeply" }
  const unknown = Object.keys(wire).find((column) => !Object.hasOwn(table.columns, column))
  if (unknown !== undefined) return { problem: `has the field ${unknown}, which this version does not support` }
  const row: Record<string, Json> = {}
  for (const [column, type] of Object.entries(table.columns)) {
    // Archives of earlier versions lack newer columns. These columns are nullable or have a value in `absent`.
    const held = fromWire(type, wire[column] === undefined ? table.absent[column] : wire[column])
    if (held === undefined) return { problem: `has a missing or invalid ${column}` }
    row[column] = held
  }
  const contentHash = hashOf(canonical(wire))
  if (given !== contentHash) return { problem: "does not match its content_hash" }
  return { row, contentHash, problem: null }
}

/** Returns the key of a row as one string. */
export const rowKey = ({ key }: Pick<PersonalDataTable, "key">, row: Row): string =>
  JSON.stringify(key.map((column) => row[column]))

/** Returns a text column, or an empty text when the column has another type. */
export const textOf = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === "string" ? value : ""
}
