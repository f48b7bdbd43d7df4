/**
 * The Windows code pages that mailers often label as ISO 8859. The bytes of their quotation marks and dashes are
 * control characters in ISO 8859, and mail text contains no such control characters.
 */
const pages: Readonly<Record<string, string>> = {
  "iso-8859-2": "windows-1250",
  "iso-8859-3": "windows-1254",
  "iso-8859-4": "windows-1257",
  "iso-8859-7": "windows-1253",
  "iso-8859-8": "windows-1255",
  "iso-8859-8-i": "windows-1255",
  "iso-8859-10": "windows-1257",
  "iso-8859-13": "windows-1257",
  "iso-8859-14": "windows-1252",
  "iso-8859-15": "windows-1252",
  "iso-8859-16": "windows-1250"
}

const controls = /[\x80-\x9F]/gu
const hasControls = /[\x80-\x9F]/u

const upperHalf = Uint8Array.from({ length: 128 }, (_, at) => at + 128)
/** The characters of the bytes from 0x80, by code page. */
const tables = new Map<string, string>()

const tableOf = (page: string): string => {
  const existing = tables.get(page)
  if (existing !== undefined) return existing
  const table = new TextDecoder(page).decode(upperHalf)
  tables.set(page, table)
  return table
}

/** Returns the Windows-1252 character of a byte from 0x80. */
export const windows1252 = (byte: number): string => tableOf("windows-1252").charAt(byte - 128)

/** Replaces the C1 controls in ISO 8859 text with the punctuation of the matching Windows code page. */
export const withWindowsPunctuation = (text: string, encoding: string): string => {
  const page = pages[encoding]
  if (page === undefined || !hasControls.test(text)) return text
  const table = tableOf(page)
  return text.replace(controls, (control) => {
    const meant = table.charAt(control.charCodeAt(0) - 128)
    return meant === "\uFFFD" ? control : meant
  })
}
