import { utf8ToBytes } from "@noble/hashes/utils.js"

/** Everything in a tar comes in blocks of this many bytes (POSIX.1-2017, pax, "ustar Interchange Format"). */
const block = 512

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, "0")}\0`

/** Where the fields of a header begin, and how long they are. */
const checksumAt = 148
const fields = (path: string, size: number, seconds: number): ReadonlyArray<readonly [number, string]> => [
  [0, path],
  [100, octal(0o600, 8)],
  [108, octal(0, 8)],
  [116, octal(0, 8)],
  [124, octal(size, 12)],
  [136, octal(seconds, 12)],
  [checksumAt, "        "],
  [156, "0"],
  [257, "ustar\x0000"]
]

/** The header of a file: an ASCII path of at most 100 characters, a size below 8 GiB, a time in whole seconds. */
export const tarHeader = (path: string, size: number, seconds: number): Uint8Array => {
  const header = new Uint8Array(block)
  for (const [at, text] of fields(path, size, seconds)) header.set(utf8ToBytes(text), at)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.set(utf8ToBytes(`${sum.toString(8).padStart(6, "0")}\0 `), checksumAt)
  return header
}

/** What fills the last block of a content of this size. */
export const tarPadding = (size: number): Uint8Array => new Uint8Array((block - (size % block)) % block)

/** What ends an archive. */
export const tarEnd: Uint8Array = new Uint8Array(2 * block)

/** One file of an archive. */
export interface TarEntry {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Reads an archive that comes in pieces. Keeps one file at a time in memory. */
export interface TarReader {
  /** The files that are whole with this piece, or what is wrong. */
  readonly push: (piece: Uint8Array) => ReadonlyArray<TarEntry> | string
}

const textAt = (header: Uint8Array, at: number, length: number): string => {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return String.fromCharCode(...(end === -1 ? field : field.subarray(0, end)))
}

const isSound = (header: Uint8Array): boolean => {
  const sum = header.reduce((total, byte, at) => total + (at >= checksumAt && at < checksumAt + 8 ? 32 : byte), 0)
  return Number.parseInt(textAt(header, checksumAt, 8).trim(), 8) === sum
}

/** Files only: folders, links and the extended headers that other programs write beside them are passed over. */
const isFile = (header: Uint8Array): boolean => header[156] === 48 || header[156] === 0

interface Current {
  readonly path: string | null
  readonly size: number
}

/** A reader that refuses files of more than `maxBytes`. */
export const tarReader = (maxBytes: number): TarReader => {
  let pieces: Array<Uint8Array> = []
  let held = 0
  let current: Current | null = null

  const take = (length: number): Uint8Array => {
    const taken = new Uint8Array(length)
    let filled = 0
    while (filled < length) {
      const [first = new Uint8Array(0), ...rest] = pieces
      const part = first.subarray(0, length - filled)
      taken.set(part, filled)
      filled += part.length
      pieces = part.length === first.length ? rest : [first.subarray(part.length), ...rest]
    }
    held -= length
    return taken
  }

  const begin = (header: Uint8Array): Current | string | null => {
    if (header.every((byte) => byte === 0)) return null
    if (!isSound(header)) return "This is not a tar archive."
    const path = textAt(header, 0, 100).replace(/^\.\//u, "")
    const size = Number.parseInt(textAt(header, 124, 12).trim() || "0", 8)
    if (!(size >= 0 && size <= maxBytes)) return `${path} is larger than ${maxBytes} bytes.`
    return { path: isFile(header) ? path : null, size }
  }

  return {
    push: (piece) => {
      pieces.push(piece)
      held += piece.length
      const entries: Array<TarEntry> = []
      for (;;) {
        if (current === null) {
          if (held < block) return entries
          const begun = begin(take(block))
          if (typeof begun === "string") return begun
          current = begun
          continue
        }
        const whole = current.size + tarPadding(current.size).length
        if (held < whole) return entries
        const bytes = take(whole).subarray(0, current.size)
        if (current.path !== null) entries.push({ path: current.path, bytes })
        current = null
      }
    }
  }
}
