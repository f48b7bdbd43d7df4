/**
 * Decoders of 7-bit encodings that switch between character sets with escape sequences. `TextDecoder` supports only
 * plain ISO-2022-JP and fails on other sets, which mail programs use too.
 */

/** A double-byte set: the decoder of its 8-bit form, and the prefix of each character in that form. */
interface DoubleSet {
  readonly decoder: InstanceType<typeof TextDecoder>
  readonly prefix: ReadonlyArray<number>
}

const eucJp = new TextDecoder("euc-jp")
const jis0208: DoubleSet = { decoder: eucJp, prefix: [] }
const jis0212: DoubleSet = { decoder: eucJp, prefix: [0x8f] }
const gb2312: DoubleSet = { decoder: new TextDecoder("gbk"), prefix: [] }
const ksc5601: DoubleSet = { decoder: new TextDecoder("euc-kr"), prefix: [] }
/** The set of single bytes for half-width katakana. */
const katakana = "katakana"

type CharacterSet = DoubleSet | typeof katakana | null

/**
 * The escape sequences for G0, without the ESC (RFC 1468, 1554). JIS X 0213 is decoded as JIS X 0208, so only the
 * characters that both contain are supported.
 */
const g0Sets: ReadonlyMap<string, CharacterSet> = new Map<string, CharacterSet>([
  ["(B", null],
  ["(J", null],
  ["(H", null],
  ["(I", katakana],
  ["$@", jis0208],
  ["$B", jis0208],
  ["$(@", jis0208],
  ["$(B", jis0208],
  ["$(O", jis0208],
  ["$(Q", jis0208],
  ["$(D", jis0212],
  ["$A", gb2312],
  ["$(A", gb2312],
  ["$(C", ksc5601]
])
/** The escape sequences for G1, which SO selects and SI leaves (RFC 1557, 1922). */
const g1Sets: ReadonlyMap<string, CharacterSet> = new Map<string, CharacterSet>([
  ["$)A", gb2312],
  ["$)C", ksc5601],
  [")I", katakana]
])
const g2Sets: ReadonlyMap<string, InstanceType<typeof TextDecoder>> = new Map([
  [".A", new TextDecoder("windows-1252")],
  [".F", new TextDecoder("iso-8859-7")]
])

const escape = 0x1b
const shiftOut = 0x0e
const shiftIn = 0x0f
const lineFeed = 0x0a
const maxSequenceBytes = 3

const isGraphic = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x21 && byte <= 0x7e

/** Collects characters. Consecutive characters of one set are decoded together. */
class Output {
  #text = ""
  #held: Array<number> = []
  #set: CharacterSet = null

  add(set: CharacterSet, ...bytes: ReadonlyArray<number>): void {
    if (set !== this.#set) this.#flush()
    this.#set = set
    if (set !== null && set !== katakana) this.#held.push(...set.prefix)
    this.#held.push(...bytes)
  }

  addText(text: string): void {
    this.#flush()
    this.#text += text
  }

  text(): string {
    this.#flush()
    return this.#text
  }

  #flush(): void {
    const bytes = Uint8Array.from(this.#held)
    this.#held = []
    if (this.#set === null) this.#text += Buffer.from(bytes).toString("latin1")
    else if (this.#set === katakana) this.#text += eucJp.decode(bytes)
    else this.#text += this.#set.decoder.decode(bytes)
  }
}

interface State {
  g0: CharacterSet
  g1: CharacterSet
  g2: InstanceType<typeof TextDecoder> | null
  shifted: boolean
}

/** Reads the escape sequence at `at`. Returns its length without the ESC; 0 for an unknown sequence. */
const readSequence = (bytes: Uint8Array, at: number, state: State): number => {
  for (let length = 2; length <= maxSequenceBytes; length++) {
    const sequence = String.fromCharCode(...bytes.subarray(at + 1, at + 1 + length))
    const g0 = g0Sets.get(sequence)
    const g1 = g1Sets.get(sequence)
    const g2 = g2Sets.get(sequence)
    if (g0 !== undefined) state.g0 = g0
    else if (g1 !== undefined) state.g1 = g1
    else if (g2 !== undefined) state.g2 = g2
    else continue
    return length
  }
  return 0
}

/** Reads one printable character and returns its number of bytes. */
const readCharacter = (bytes: Uint8Array, at: number, state: State, out: Output): number => {
  const byte = bytes[at] ?? 0
  const set = state.shifted ? (state.g1 ?? katakana) : state.g0
  if (byte >= 0x80) {
    // Some Japanese senders mix in half-width katakana as single bytes.
    if (byte >= 0xa1 && byte <= 0xdf) out.add(katakana, 0x8e, byte)
    else out.addText("\uFFFD")
    return 1
  }
  if (set === null || byte <= 0x20 || byte === 0x7f) out.add(null, byte)
  else if (set === katakana) out.add(katakana, 0x8e, byte | 0x80)
  else if (isGraphic(bytes[at + 1])) {
    out.add(set, byte | 0x80, (bytes[at + 1] ?? 0) | 0x80)
    return 2
  } else out.addText("\uFFFD")
  return 1
}

/** Decodes ISO-2022-JP with extensions, ISO-2022-KR, and the GB 2312 part of ISO-2022-CN. Linear. */
export const decodeIso2022 = (bytes: Uint8Array): string => {
  const out = new Output()
  const state: State = { g0: null, g1: null, g2: null, shifted: false }
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0
    if (byte === escape && bytes[at + 1] === 0x4e && state.g2 !== null) {
      out.addText(state.g2.decode(Uint8Array.of((bytes[at + 2] ?? 0) | 0x80)))
      at += 3
    } else if (byte === escape) at += 1 + readSequence(bytes, at, state)
    else if (byte === shiftOut || byte === shiftIn) {
      state.shifted = byte === shiftOut
      at++
    } else if (byte === lineFeed) {
      // Every line starts in ASCII (RFC 1468), so a lost escape sequence damages only one line.
      state.g0 = null
      state.shifted = false
      out.add(null, byte)
      at++
    } else at += readCharacter(bytes, at, state, out)
  }
  return out.text()
}

/**
 * Decodes HZ (RFC 1843): `~{` and `~}` enclose GB 2312, `~~` is a tilde, and `~` at the end of a line joins it with the
 * next line.
 */
export const decodeHz = (bytes: Uint8Array): string => {
  const out = new Output()
  let chinese = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const next = bytes[at + 1]
    const tilde = byte === 0x7e
    if (tilde && next === 0x7b) chinese = true
    else if (tilde && next === 0x7d) chinese = false
    else if (tilde && next === 0x7e && !chinese) out.add(null, 0x7e)
    else if (tilde && next === lineFeed && !chinese) at += 0
    else if (chinese && isGraphic(byte) && isGraphic(next)) out.add(gb2312, byte | 0x80, (next ?? 0) | 0x80)
    else {
      if (byte === lineFeed) chinese = false
      out.add(null, byte)
      continue
    }
    at++
  }
  return out.text()
}

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const base64Values = new Map([...base64Alphabet].map((letter, value) => [letter.charCodeAt(0), value]))
const plus = 0x2b
const minus = 0x2d

/** Decodes UTF-7 (RFC 2152): `+` starts UTF-16 in base64, any other character ends it, `+-` is a plus. Linear. */
export const decodeUtf7 = (bytes: Uint8Array): string => {
  const units = new Uint16Array(bytes.length)
  let length = 0
  let open = false
  let empty = false
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    const value = open ? base64Values.get(byte) : undefined
    if (value !== undefined) {
      empty = false
      bits = ((bits << 6) | value) & 0x3fffff
      held += 6
      if (held < 16) continue
      held -= 16
      units[length++] = (bits >> held) & 0xffff
      continue
    }
    const ends = open && byte === minus
    if (ends && empty) units[length++] = plus
    open = !open && byte === plus
    empty = open
    bits = 0
    held = 0
    if (!ends && !open) units[length++] = byte
  }
  return Buffer.from(units.buffer, 0, length * 2)
    .toString("utf16le")
    .toWellFormed()
}
