/**
 * Bytes to text. A label that is missing, unknown or a lie must not cost the text: UTF-8 is tried where it fits exactly,
 * then a hint (the HTML's own declaration, the charset of the body), then Windows-1252, which reads anything.
 */

/** Labels that mail uses and the WHATWG list does not have. Keys have no separators and no `x-`. */
const aliases: Readonly<Record<string, string>> = {
  iso88598i: "iso-8859-8-i",
  iso88598e: "iso-8859-8",
  windows31j: "shift_jis",
  cp932: "shift_jis",
  windows932: "shift_jis",
  mskanji: "shift_jis",
  iso2022jp: "iso-2022-jp",
  iso2022jp1: "iso-2022-jp",
  iso2022jp2: "iso-2022-jp",
  iso2022jp3: "iso-2022-jp",
  cp50220: "iso-2022-jp",
  cp50221: "iso-2022-jp",
  cp936: "gbk",
  windows936: "gbk",
  gb2312: "gbk",
  hzgb2312: "gbk",
  cp949: "euc-kr",
  ms949: "euc-kr",
  windows949: "euc-kr",
  uhc: "euc-kr",
  ksc56011987: "euc-kr",
  cp950: "big5",
  windows950: "big5",
  chinesebig5: "big5",
  big5eten: "big5",
  tis620: "windows-874",
  cp874: "windows-874",
  macroman: "macintosh",
  usascii: "windows-1252",
  ansi: "windows-1252",
  latin1: "windows-1252"
}

/** Labels that name no charset. */
const nothing = new Set(["", "default", "none", "unknown", "unknown8bit", "unicode11utf7", "utf7", "binary", "8bit"])

/** Labels under which UTF-8 is sent so often that exact UTF-8 wins over them. */
const oftenWrong = new Set(["windows-1252", "utf-8"])

const known = new Map<string, string | null>()
/** Labels remembered; a sender can make up any number of them. */
const labelsRemembered = 500

const lookUp = (label: string): string | null => {
  const bare = label
    .trim()
    .toLowerCase()
    .replace(/[_-]charset$/u, "")
  const squeezed = bare.replace(/^(?:x-ms-|x-|cs(?=iso|eu|ks|gb|big|sh))/u, "").replace(/[\s._-]+/gu, "")
  if (nothing.has(squeezed)) return null
  for (const candidate of [aliases[squeezed] ?? bare, bare, squeezed]) {
    try {
      return new TextDecoder(candidate).encoding
    } catch {
      // Not a label this runtime knows; the next spelling may be.
    }
  }
  return null
}

/** The encoding a label stands for; null when it names none. */
export const encodingOf = (label: string): string | null => {
  const found = known.get(label)
  if (found !== undefined) return found
  const encoding = label.length > 60 ? null : lookUp(label)
  if (known.size < labelsRemembered) known.set(label, encoding)
  return encoding
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>()
const decoderFor = (encoding: string): InstanceType<typeof TextDecoder> => {
  const existing = decoders.get(encoding)
  if (existing !== undefined) return existing
  const decoder = new TextDecoder(encoding)
  decoders.set(encoding, decoder)
  return decoder
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/** The text when the bytes are UTF-8 to the last one; null otherwise. */
export const exactUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return null
  }
}

/** Text, and whether the charset had to be guessed. */
export interface DecodedText {
  readonly text: string
  readonly guessed: boolean
}

const isPlainAscii = (bytes: Uint8Array): boolean => {
  for (const byte of bytes) if (byte > 0x7e || byte === 0x1b) return false
  return true
}

/** The bytes cut before a UTF-8 character that the end of the input tears apart. */
const withoutTornEnd = (bytes: Uint8Array): Uint8Array => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back)
    if (byte < 0x80) return bytes
  }
  return bytes
}

/** Decodes bytes by the label they came with; `hint` is asked when the label says nothing. */
export const decodeText = (bytes: Uint8Array, label: string, hint: string | null = null): DecodedText => {
  const declared = encodingOf(label)
  if (declared?.startsWith("utf-16") !== true && isPlainAscii(bytes)) {
    return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"), guessed: false }
  }
  if (declared === null || oftenWrong.has(declared)) {
    const exact = exactUtf8(bytes) ?? exactUtf8(withoutTornEnd(bytes))
    if (exact !== null) return { text: exact, guessed: declared !== "utf-8" }
  }
  if (declared !== null && declared !== "utf-8") return { text: decoderFor(declared).decode(bytes), guessed: false }
  if (declared === "utf-8") {
    const text = decoderFor("utf-8").decode(bytes)
    // Some real UTF-8 in it: the rest is damage. None at all: the label was wrong.
    if (/[^\0-\x7F\uFFFD]/u.test(text)) return { text, guessed: true }
  }
  const fallback = (hint === null ? null : encodingOf(hint)) ?? "windows-1252"
  return { text: decoderFor(fallback === "utf-8" ? "windows-1252" : fallback).decode(bytes), guessed: true }
}
