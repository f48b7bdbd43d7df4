import { utf8ToBytes } from "@noble/hashes/utils.js"
import { GrowingBytes } from "../text/GrowingBytes.ts"

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

/** An entry whose content is being read. `path` is null when the content is skipped. */
interface Current {
  readonly path: string | null
  readonly size: number
  /** Bytes of content and padding that have not arrived yet. */
  missing: number
}

/** Bounds of an archive. */
export interface TarLimits {
  /** Content of one file. */
  readonly maxFileBytes: number
  /** Headers of any type: files, and the folders, links and extended headers that are skipped. */
  readonly maxEntries: number
}

/** Bytes accepted behind the end of an archive. Programs fill their last record, usually 10 KiB, with zeros. */
const maxTrailingBytes = 1_048_576

/** Reads a header, or says what is wrong with it. A null entry is a block of zeros. */
const readHeader = (header: Uint8Array, { maxFileBytes }: TarLimits): Current | string | null => {
  if (header.every((byte) => byte === 0)) return null
  if (!isSound(header)) return "This is not a tar archive."
  const path = textAt(header, 0, 100).replace(/^\.\//u, "")
  const size = Number.parseInt(textAt(header, 124, 12).trim() || "0", 8)
  if (!(size >= 0 && size <= maxFileBytes)) return `${path} is larger than ${maxFileBytes} bytes.`
  return { path: isFile(header) ? path : null, size, missing: size + tarPadding(size).length }
}

/** Reads an archive in time linear in its length, whatever the size of its chunks. */
export const tarReader = (limits: TarLimits): TarReader => {
  const header = new Uint8Array(block)
  const content = new GrowingBytes()
  let filled = 0
  let count = 0
  let trailing = 0
  let ended = false
  let current: Current | null = null

  /** Reads the part of a chunk that belongs to the header; answers how long that part is, or what is wrong. */
  const intoHeader = (chunk: Uint8Array): number | string => {
    const part = chunk.subarray(0, block - filled)
    header.set(part, filled)
    filled += part.length
    if (filled < block) return part.length
    filled = 0
    const begun = readHeader(header, limits)
    if (typeof begun === "string") return begun
    current = begun
    ended = begun === null
    count += 1
    return count > limits.maxEntries ? `The archive has more than ${limits.maxEntries} entries.` : part.length
  }

  /** The same for the content of the current entry. Only content that is kept is held in memory. */
  const intoContent = (entry: Current, chunk: Uint8Array): number => {
    const part = chunk.subarray(0, entry.missing)
    if (entry.path !== null) content.append(part.subarray(0, entry.size - content.length))
    entry.missing -= part.length
    return part.length
  }

  return {
    push: (piece) => {
      const entries: Array<TarEntry> = []
      for (let at = 0; at < piece.length;) {
        if (ended) {
          trailing += piece.length - at
          return trailing > maxTrailingBytes ? "The archive continues behind its end." : entries
        }
        const read: number | string =
          current === null ? intoHeader(piece.subarray(at)) : intoContent(current, piece.subarray(at))
        if (typeof read === "string") return read
        at += read
        if (current === null || current.missing > 0) continue
        if (current.path !== null) entries.push({ path: current.path, bytes: content.take() })
        current = null
      }
      return entries
    }
  }
}
