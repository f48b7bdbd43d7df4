import iconv from "iconv-lite"
import { type Encoding, encodingOf } from "./CharsetLabel.ts"
import { decodeHz, decodeIso2022, decodeUtf7 } from "./EscapedCharset.ts"
import { windows1252, withWindowsPunctuation } from "./WindowsPunctuation.ts"

/**
 * Decoding of bytes to text. A missing, unknown or wrong charset label must not lose the text. The candidates are tried
 * in this order:
 *
 * - UTF-8, if the bytes are valid
 * - the labelled encoding, and encodings whose texts often carry its label
 * - a hint: the declaration in the HTML, or the charset of the body
 * - Windows-1252, which decodes any bytes
 */

const decoders = new Map<string, InstanceType<typeof TextDecoder>>()
const decoderFor = (name: string): InstanceType<typeof TextDecoder> => {
  const existing = decoders.get(name)
  if (existing !== undefined) return existing
  const decoder = new TextDecoder(name)
  decoders.set(name, decoder)
  return decoder
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/** Returns the text if all bytes are valid UTF-8; null otherwise. */
export const exactUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return null
  }
}

/** A decoded text. The flag states whether its charset had to be guessed. */
export interface DecodedText {
  readonly text: string
  readonly guessed: boolean
}

const isPlainAscii = (bytes: Uint8Array): boolean => {
  for (const byte of bytes) if (byte > 0x7e || byte === 0x1b) return false
  return true
}

/**
 * Decodes UTF-8 whose last character is truncated at the end of the input. Returns null for other bytes. Also returns
 * null when only the truncated bytes are outside ASCII, because `café` in Latin-1 ends with the same kind of byte.
 */
const tornUtf8 = (bytes: Uint8Array): string | null => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return null
    if (byte < 0xc0) continue
    const text = exactUtf8(bytes.subarray(0, bytes.length - back))
    return text !== null && /[^\0-\x7F]/u.test(text) ? text : null
  }
  return null
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Wider tables for encodings that the runtime supports only partly: HKSCS in Big5, UHC in EUC-KR. */
const widerTables: Readonly<Record<string, string>> = { big5: "big5hkscs", "euc-kr": "cp949" }
/** The runtime's output for unsupported characters: private-use characters, controls, or the replacement character. */
const leftOut = /[\x80-\x9F\uE000-\uF8FF\uFFFD]/u

const escaped = { hz: decodeHz, "iso-2022": decodeIso2022, "utf-7": decodeUtf7 } as const

const decodeBy = (encoding: Encoding, bytes: Uint8Array): string => {
  if (encoding.reader === "escapes") return escaped[encoding.name](bytes)
  const { name, reader } = encoding
  if (reader === "table") return iconv.decode(asBuffer(bytes), name)
  const text = decoderFor(name).decode(bytes)
  const wider = widerTables[name]
  if (wider !== undefined && leftOut.test(text)) return iconv.decode(asBuffer(bytes), wider)
  return withWindowsPunctuation(text, name)
}

/** Returns whether ASCII bytes always mean ASCII characters in an encoding. */
const isAsciiSafe = (encoding: Encoding | null): boolean =>
  encoding === null ||
  (encoding.reader === "whatwg" && !encoding.name.startsWith("utf-16")) ||
  /^cp|^mac/u.test(encoding.name)

/** Labels that senders often put on UTF-8 text. Valid UTF-8 takes precedence over them. */
const oftenWrong = new Set(["windows-1252", "utf-8"])

/**
 * Valid UTF-8 with another label counts as UTF-8 if it contains enough characters outside ASCII: two of three or four
 * bytes, or four of two bytes.
 */
const enoughLong = 2
const enoughShort = 4

/**
 * Returns whether valid UTF-8 is unlikely to be a coincidence. Short words in other encodings can be valid UTF-8 too.
 */
const isConvincing = (text: string): boolean => {
  let long = 0
  let short = 0
  for (let at = 0; at < text.length && long < enoughLong && short < enoughShort; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x800) long++
    else if (code >= 0x80) short++
  }
  return long >= enoughLong || short >= enoughShort
}

const controls = /[\0-\x08\x0B\x0C\x0E-\x1F]/u

const replaced = (text: string): number => text.split("\uFFFD").length - 1

/**
 * Other encodings to try, by the labelled encoding, if the bytes do not fit the label. Texts in these encodings often
 * carry the wrong label.
 */
const siblings: Readonly<Record<string, ReadonlyArray<string>>> = {
  "iso-2022": ["shift_jis", "euc-jp", "euc-kr"],
  hz: ["gbk"],
  shift_jis: ["euc-jp", "iso-2022-jp"],
  "euc-jp": ["shift_jis", "iso-2022-jp"],
  gbk: ["big5"],
  gb18030: ["big5"],
  big5: ["gb18030"],
  "euc-kr": ["iso-2022-kr"],
  "iso-8859-3": ["windows-1254"],
  "iso-8859-6": ["windows-1256"],
  "iso-8859-7": ["windows-1253"],
  "iso-8859-8": ["windows-1255"],
  "iso-8859-8-i": ["windows-1255"],
  "windows-1253": ["iso-8859-7"],
  "windows-1255": ["iso-8859-8-i"]
}

/** The number of bytes that are decoded to compare encodings. */
const bytesCompared = 65_536

/**
 * Returns the encoding with the fewest undecodable characters. The labelled encoding is replaced only by one with less
 * than a quarter of its undecodable characters.
 */
const bestEncoding = (encoding: Encoding, bytes: Uint8Array): Encoding => {
  const sample = bytes.subarray(0, bytesCompared)
  let best = encoding
  let left = replaced(decodeBy(encoding, sample))
  for (const label of siblings[encoding.name] ?? []) {
    const sibling = encodingOf(label)
    const count = sibling === null ? left : replaced(decodeBy(sibling, sample))
    if (sibling === null || count * 4 >= left) continue
    best = sibling
    left = count
  }
  return best
}

const utf8Length = (lead: number): number =>
  lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1

/**
 * Decodes UTF-8 mixed with bytes of another encoding. Mailing lists and gateways produce such text when they append a
 * footer. A byte outside UTF-8 characters is read as Windows-1252. A truncated character becomes a replacement
 * character. Linear.
 */
const mixedUtf8 = (bytes: Uint8Array): string => {
  const pieces: Array<string> = []
  let from = 0
  const decoder = decoderFor("utf-8")
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0
    const length = lead < 0x80 ? 1 : utf8Length(lead)
    let follows = 0
    while (follows < length - 1 && ((bytes[at + 1 + follows] ?? 0) & 0xc0) === 0x80) follows++
    const stray = lead >= 0x80 && lead < 0xf5 && follows === 0
    if (!stray) {
      at += 1 + follows
      continue
    }
    pieces.push(decoder.decode(bytes.subarray(from, at)), windows1252(lead))
    from = ++at
  }
  pieces.push(decoder.decode(bytes.subarray(from)))
  return pieces.join("")
}

/** Detects UTF-16 and UTF-32 by their byte order mark, regardless of the label. */
const byMark = (bytes: Uint8Array): Encoding | null => {
  const [a, b, c, d] = bytes
  if (a === 0xff && b === 0xfe) {
    return c === 0 && d === 0 ? { reader: "table", name: "utf32le" } : { reader: "whatwg", name: "utf-16le" }
  }
  return a === 0xfe && b === 0xff ? { reader: "whatwg", name: "utf-16be" } : null
}

const readUtf8 = (bytes: Uint8Array): string | null => {
  const text = decoderFor("utf-8").decode(bytes)
  // If some multi-byte characters are valid, the text is damaged UTF-8. If none is, the label was wrong.
  return /[^\0-\x7F\uFFFD]/u.test(text) ? mixedUtf8(bytes) : null
}

const readLabelled = (encoding: Encoding, bytes: Uint8Array): DecodedText => {
  const text = decodeBy(encoding, bytes)
  // For 7-bit bytes, no other encoding gives a better result.
  const readable = !text.includes("\uFFFD") || bytes.every((byte) => byte < 0x80)
  const best = readable ? encoding : bestEncoding(encoding, bytes)
  return best === encoding ? { text, guessed: false } : { text: decodeBy(best, bytes), guessed: true }
}

/** Decodes bytes by their charset label. `hint` applies when the label is missing or unknown. */
export const decodeText = (bytes: Uint8Array, label: string, hint: string | null = null): DecodedText => {
  const declared = encodingOf(label)
  const marked = byMark(bytes)
  if (marked !== null) return { text: decodeBy(marked, bytes), guessed: declared?.name !== marked.name }
  if (isAsciiSafe(declared) && isPlainAscii(bytes)) return { text: asBuffer(bytes).toString("latin1"), guessed: false }
  const exact = exactUtf8(bytes) ?? tornUtf8(bytes)
  const trusted = declared === null || oftenWrong.has(declared.name)
  // Real UTF-16 or UTF-32 text, read as UTF-8, contains many control characters. If there are none, the label is wrong.
  const wide = /^utf-?(?:16|32)/u.test(declared?.name ?? "")
  if (exact !== null && (wide ? !controls.test(exact) : trusted || isConvincing(exact))) {
    return { text: exact, guessed: declared?.name !== "utf-8" }
  }
  if (declared !== null && declared.name !== "utf-8") return readLabelled(declared, bytes)
  const text = declared === null ? null : readUtf8(bytes)
  if (text !== null) return { text, guessed: true }
  const hinted = hint === null ? null : encodingOf(hint)
  const fallback: Encoding = { reader: "whatwg", name: "windows-1252" }
  return { text: decodeBy(hinted === null || hinted.name === "utf-8" ? fallback : hinted, bytes), guessed: true }
}
