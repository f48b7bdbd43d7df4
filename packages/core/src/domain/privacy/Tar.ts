import { utf8ToBytes } from "@noble/hashes/utils.js"
import { GrowingBytes } from "../text/GrowingBytes.ts"

/** The block size of a tar archive in bytes (POSIX.1-2017, pax, "ustar Interchange Format"). */
const block = 512

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, "0")}\0`

/** The positions of header fields and their contents. */
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

/**
 * Builds the header of a file: an ASCII path of at most 100 characters, a size below 8 GiB, a time in whole seconds.
 */
export const tarHeader = (path: string, size: number, seconds: number): Uint8Array => {
  const header = new Uint8Array(block)
  for (const [at, text] of fields(path, size, seconds)) header.set(utf8ToBytes(text), at)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.set(utf8ToBytes(`${sum.toString(8).padStart(6, "0")}\0 `), checksumAt)
  return header
}

/** Returns the padding after content of this size, up to a full block. */
export const tarPadding = (size: number): Uint8Array => new Uint8Array((block - (size % block)) % block)

/** The end marker of an archive. */
export const tarEnd: Uint8Array = new Uint8Array(2 * block)

/** One file of an archive. */
export interface TarEntry {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Reads an archive in chunks. It holds one file at a time in memory. */
export interface TarReader {
  /** Returns the files that this chunk completes, or an error message. */
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

/** Returns true for a file. Folders, links and extended headers of other programs are skipped. */
const isFile = (header: Uint8Array): boolean => header[156] === 48 || header[156] === 0

/** An entry whose content is being read. `path` is null when the content is skipped. */
interface Current {
  readonly path: string | null
  readonly size: number
  /** The bytes of content and padding that have not arrived yet. */
  missing: number
}

/** The limits of an archive. */
export interface TarLimits {
  /** The maximum size of one file. */
  readonly maxFileBytes: number
  /** The maximum number of headers of any type, skipped ones included. */
  readonly maxEntries: number
}

/**
 * The maximum number of bytes after the end of an archive. Programs pad their last record, usually of 10 KiB, with
 * zeros.
 */
const maxTrailingBytes = 1_048_576

/** Reads a header. Returns null for a block of zeros and an error message for an invalid header. */
const readHeader = (header: Uint8Array, { maxFileBytes }: TarLimits): Current | string | null => {
  if (header.every((byte) => byte === 0)) return null
  if (!isSound(header)) return "The upload is not a tar archive. Upload a file that the export endpoint returned."
  const path = textAt(header, 0, 100).replace(/^\.\//u, "")
  const size = Number.parseInt(textAt(header, 124, 12).trim() || "0", 8)
  if (!(size >= 0 && size <= maxFileBytes))
    return `The file ${path} is larger than the maximum of ${maxFileBytes} bytes.`
  return { path: isFile(header) ? path : null, size, missing: size + tarPadding(size).length }
}

/** Creates a reader that runs in time linear in the length of the archive, for any size of chunks. */
export const tarReader = (limits: TarLimits): TarReader => {
  const header = new Uint8Array(block)
  const content = new GrowingBytes()
  let filled = 0
  let count = 0
  let trailing = 0
  let ended = false
  let current: Current | null = null

  /** Reads the header's part of a chunk. Returns the length of the part, or an error message. */
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

  /** Reads the content's part of a chunk. Skipped content is not kept in memory. */
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
          return trailing > maxTrailingBytes ? "The archive contains data after its end." : entries
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
