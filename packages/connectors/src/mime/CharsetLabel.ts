import iconv from "iconv-lite"

/**
 * The decoder of an encoding: `TextDecoder` (the WHATWG encodings), the code pages of `iconv-lite`, or the 7-bit
 * decoders of this folder.
 */
export type Encoding =
  | { readonly reader: "whatwg"; readonly name: string }
  | { readonly reader: "table"; readonly name: string }
  | { readonly reader: "escapes"; readonly name: "iso-2022" | "hz" | "utf-7" }

/** Labels that occur in mail but are not in the WHATWG list. The keys contain no separators and no `x-`. */
const aliases: Readonly<Record<string, string>> = {
  windows31j: "shift_jis",
  shiftjis: "shift_jis",
  shiftjis2004: "shift_jis",
  shiftjisx0213: "shift_jis",
  cp932: "shift_jis",
  mskanji: "shift_jis",
  eucjp: "euc-jp",
  eucjpms: "euc-jp",
  eucjis2004: "euc-jp",
  eucjisx0213: "euc-jp",
  cp51932: "euc-jp",
  cp936: "gbk",
  gb2312: "gbk",
  euccn: "gbk",
  cp54936: "gb18030",
  cp949: "euc-kr",
  ms949: "euc-kr",
  euckr: "euc-kr",
  uhc: "euc-kr",
  ksc56011987: "euc-kr",
  cp950: "big5",
  cp951: "big5",
  big5hkscs: "big5",
  chinesebig5: "big5",
  big5eten: "big5",
  tis620: "windows-874",
  cp874: "windows-874",
  koi8ru: "koi8-u",
  macroman: "macintosh",
  maccyrillic: "x-mac-cyrillic",
  macukraine: "x-mac-cyrillic",
  usascii: "windows-1252",
  ascii: "windows-1252",
  ansi: "windows-1252",
  latin1: "windows-1252",
  cp65001: "utf-8",
  utf16: "utf-16",
  utf16le: "utf-16le",
  utf16be: "utf-16be"
}

/**
 * Labels of 7-bit encodings with escape sequences: ISO/IEC 2022 (RFC 1468, 1554, 1557, 1922), HZ (RFC 1843), UTF-7 (RFC
 * 2152).
 */
const iso2022 = /^(?:iso2022(?:jp[123]?(?:2004|ext)?|kr|cn(?:ext)?)|cp5022[0-9]|junet)$/u
const hz = /^hz(?:gb2312)?$/u
const utf7 = /^(?:utf7|unicode\d*utf7|cp65000)$/u

/**
 * Code pages that `iconv-lite` supports and `TextDecoder` does not. Other names of `iconv-lite` are not charsets
 * (`hex`, `base64`).
 */
const tables =
  /^(?:(?:cp|ibm)(?:437|737|775|808|85[02568]|857|858|86[0-9]|922|1046|112[459]|1133|1161|1162|1163)|mac(?:centeuro|croatian|greek|iceland|romania|turkish|thai)|hproman8|koi8t|viscii|tcvn|tcvn57121|armscii8|georgianps|georgianacademy|rk1048|pt154|utf32(?:le|be)?)$/u
const tableAliases: Readonly<Record<string, string>> = {
  maclatin2: "maccenteuro",
  maccentraleurope: "maccenteuro",
  maccroatia: "maccroatian",
  tcvn57121: "tcvn",
  roman8: "hproman8",
  ptcp154: "pt154"
}

/** Labels that do not name a charset. */
const nothing = new Set([
  "",
  "default",
  "none",
  "null",
  "unknown",
  "unknown8bit",
  "userdefined",
  "binary",
  "7bit",
  "8bit",
  "text",
  "replacement"
])

const whatwg = (label: string): string | null => {
  try {
    const { encoding } = new TextDecoder(label)
    return encoding === "x-user-defined" ? null : encoding
  } catch {
    return null
  }
}

/**
 * Corrects spellings with missing or extra separators, for example `Windows1251`, `win-1251`, `ISO88592`,
 * `ISO_8859-2:1987` and `utf8mb4`.
 */
const respelled = (squeezed: string): string | null => {
  const windows = /^(?:windows|win|cp|ms|microsoftcp|ibm)(125[0-8]|874)$/u.exec(squeezed)?.[1]
  if (windows !== undefined) return `windows-${windows}`
  const iso = /^iso8859(1[0-6]|[1-9])(?:$|[:ei]|19\d\d)(i?)/u.exec(squeezed)
  if (iso !== null) return iso[1] === "8" && squeezed.endsWith("i") ? "iso-8859-8-i" : `iso-8859-${iso[1]}`
  return /^(?:utf8|unicode\d*utf8)/u.test(squeezed) ? "utf-8" : null
}

const lookUp = (label: string): Encoding | null => {
  // Some mailers write two names or add quotes. Only the first name is used.
  const bare = (/[^\s"'`,;=<>]+/u.exec(label)?.[0] ?? "").toLowerCase().replace(/[_-]charset$/u, "")
  const squeezed = bare.replace(/^(?:x-ms-|x-|cs(?=iso|eu|ks|gb|big|sh))/u, "").replace(/[\s._-]+/gu, "")
  if (nothing.has(squeezed)) return null
  if (iso2022.test(squeezed)) return { reader: "escapes", name: "iso-2022" }
  if (hz.test(squeezed)) return { reader: "escapes", name: "hz" }
  if (utf7.test(squeezed)) return { reader: "escapes", name: "utf-7" }
  const page = /^(?:windows|win|ms|ibm)(\d{3,5})$/u.exec(squeezed)?.[1]
  for (const candidate of [aliases[squeezed] ?? aliases[`cp${page}`] ?? bare, bare, respelled(squeezed), squeezed]) {
    const name = candidate === null ? null : whatwg(candidate)
    if (name !== null) return { reader: "whatwg", name }
  }
  const table = tableAliases[squeezed] ?? squeezed
  return tables.test(table) && iconv.encodingExists(table) ? { reader: "table", name: table } : null
}

const known = new Map<string, Encoding | null>()
/** The maximum number of cached labels. Senders can invent any number of labels. */
const labelsRemembered = 500
const maxLabelLength = 60

/** Returns the encoding of a label; null for an unknown label. */
export const encodingOf = (label: string): Encoding | null => {
  const found = known.get(label)
  if (found !== undefined) return found
  const encoding = label.length > maxLabelLength ? null : lookUp(label)
  if (known.size < labelsRemembered) known.set(label, encoding)
  return encoding
}
