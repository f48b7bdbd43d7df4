import { propertyTable, table } from "../Table.ts"
import { visible } from "../Visible.ts"

/** The maximum width of the output in characters. */
const maxWidth = 80

/** A value of a response. Null and undefined are missing values. */
type Value = string | number | null | undefined

/** Returns the text of a value on one line with at most `width` characters. A missing value is a hyphen. */
export const cell = (value: Value, width = maxWidth): string => {
  const text = visible(String(value ?? "-"))
    .replaceAll(/\s+/gu, " ")
    .trim()
  return text.length > width ? `${text.slice(0, width - 1).toWellFormed()}…` : text
}

/** Formats a time of a response to the minute, in UTC: `2026-03-02 18:10`. */
export const minute = (time: string | null | undefined): string => time?.slice(0, 16).replace("T", " ") ?? "-"

/** Formats the day of a time, in UTC. */
export const day = (time: string | null | undefined): string => time?.slice(0, 10) ?? "-"

/** Joins the values that are not missing. */
export const joined = (...values: ReadonlyArray<Value>): string =>
  values.filter((value) => value !== null && value !== undefined && value !== "").join(", ")

/** Breaks lines between words so that they have at most `width` characters. Longer words stay whole. */
export const wrap = (text: string, width: number): ReadonlyArray<string> =>
  visible(text)
    .trim()
    .split("\n")
    .flatMap((line) => {
      const lines: Array<string> = []
      let current = ""
      for (const word of line.trimEnd().split(" ")) {
        if (current !== "" && current.length + 1 + word.length > width) {
          lines.push(current)
          current = word
        } else current = current === "" ? word : `${current} ${word}`
      }
      return [...lines, current]
    })

/** Indents wrapped text by two characters. */
export const paragraph = (text: string): string =>
  wrap(text, maxWidth - 2)
    .map((line) => `  ${line}`.trimEnd())
    .join("\n")

/** Formats names and values, one pair per line. Leaves out missing values. */
export const card = (entries: ReadonlyArray<readonly [name: string, value: Value]>): string => {
  const given = entries.filter(([, value]) => value !== null && value !== undefined && value !== "")
  const width = Math.max(...given.map(([name]) => name.length))
  return propertyTable(
    given.flatMap(([name, value]) =>
      wrap(String(value), maxWidth - 2 - width).map((line, index) => [index === 0 ? name : "", line] as const)
    )
  )
}

/** A column of a listing: its heading and maximum width. The last column has the rest of the line. */
export type Column = readonly [heading: string, width?: number]

/** Formats rows as a table. `empty` replaces a table without rows. */
export const listing = (
  empty: string,
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<Value>>
): string => {
  if (rows.length === 0) return `${empty}\n`
  const headings = columns.map(([heading]) => heading)
  const last = columns.length - 1
  const cells = rows.map((row) => row.map((value, column) => cell(value, columns[column]?.[1])))
  const widths = headings
    .slice(0, last)
    .map((heading, column) => Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)) + 2)
  const rest = maxWidth - widths.reduce((sum, width) => sum + width, 0)
  return table(
    headings,
    cells.map((row) => row.map((text, column) => (column === last ? cell(text, rest) : text)))
  )
}
