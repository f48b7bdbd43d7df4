import Papa from "papaparse"
import { ImportInvalid, maxImportRows } from "./ContactImport.ts"

/** The decoder of the Encoding standard. It is a global of every JavaScript runtime. */
declare const TextDecoder: new (
  label: string,
  options?: { readonly fatal?: boolean }
) => { readonly decode: (bytes: Uint8Array) => string }

const decode = (bytes: Uint8Array, label: string): string | null => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Decodes a file of a spreadsheet: UTF-16 with a byte order mark, UTF-8, or Windows-1252, which older spreadsheets
 * write. A byte order mark is removed.
 */
export const decodeCsv = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  return decode(bytes, "utf-8") ?? new TextDecoder("windows-1252").decode(bytes)
}

/** The separators of columns that are recognised. */
const delimiters = [",", ";", "\t"]

/** The limit of columns of a file. */
export const maxColumns = 200

/** Some records of a file, and the position after them. */
export interface CsvPart {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** The characters that were read, from the start of the text. */
  readonly read: number
}

/** The format and the header of a file. */
export interface CsvHead extends CsvPart {
  readonly header: ReadonlyArray<string>
  readonly delimiter: string
}

const options = (preview: number) => ({ preview, fastMode: false, skipEmptyLines: true })

/** Reads the header of a file, and recognises the separator of its columns. */
export const readCsvHead = (text: string): CsvHead | ImportInvalid => {
  const fail = (reason: string) => new ImportInvalid({ field: "file", reason })
  const { meta } = Papa.parse<ReadonlyArray<string>>(text, { ...options(10), delimitersToGuess: delimiters })
  const { delimiter } = meta
  const head = Papa.parse<ReadonlyArray<string>>(text, { ...options(1), delimiter })
  const header = head.data[0]?.map((column) => column.trim()) ?? []
  if (header.every((column) => column === "")) return fail("The file has no header.")
  if (header.length > maxColumns) return fail(`A file has at most ${maxColumns} columns.`)
  if (new Set(header).size < header.length) return fail("Each column must have its own name.")
  return { header, delimiter, rows: [], read: head.meta.cursor }
}

/** Reads up to `limit` lines of a file after a position. Empty lines are not records. */
export const readCsvPart = (text: string, from: number, limit: number, delimiter: string): CsvPart => {
  const parsed = Papa.parse<ReadonlyArray<string>>(text.slice(from), { ...options(limit), delimiter })
  return { rows: parsed.data, read: from + parsed.meta.cursor }
}

/** The file has more records than an import may have. */
export const tooManyRows = (): ImportInvalid =>
  new ImportInvalid({ field: "file", reason: `A file has at most ${maxImportRows} records.` })
