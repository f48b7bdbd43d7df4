import { describe, expect, it } from "vitest"
import { type TarEntry, tarEnd, tarHeader, tarPadding, tarReader } from "../../../src/domain/privacy/Tar.ts"

const limits = { maxFileBytes: 1_048_576, maxEntries: 100 }

const fileOf = (path: string, content: Uint8Array): Uint8Array =>
  Buffer.concat([tarHeader(path, content.length, 0), content, tarPadding(content.length)])

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at % 251)

/** Reads an archive in chunks of a size: its files, or the first problem. */
const read = (archive: Uint8Array, size: number, bounds = limits): ReadonlyArray<TarEntry> | string => {
  const reader = tarReader(bounds)
  const entries: Array<TarEntry> = []
  for (let at = 0; at < archive.length; at += size) {
    const found = reader.push(archive.subarray(at, at + size))
    if (typeof found === "string") return found
    entries.push(...found)
  }
  return entries
}

const folder = (path: string): Uint8Array => {
  const header = tarHeader(path, 0, 0)
  // Type 5 in place of type 0, in the checksum too.
  header[156] = 53
  const sum = Number.parseInt(Buffer.from(header.subarray(148, 154)).toString(), 8) + 5
  header.set(Buffer.from(sum.toString(8).padStart(6, "0")), 148)
  return header
}

describe("a tar archive", () => {
  it("is the same in chunks of any size, one byte too", () => {
    const contents = [bytesOf(0), bytesOf(1), bytesOf(512), bytesOf(300_000)]
    const files = contents.map((content, index) => fileOf(`./messages/${index}`, content))
    const archive = Buffer.concat([folder("messages/"), ...files, tarEnd])
    const expected = contents.map((bytes, index) => ({ path: `messages/${index}`, bytes: new Uint8Array(bytes) }))
    for (const size of [1, 511, 513, archive.length]) expect(read(archive, size)).toEqual(expected)
  })

  it("is refused when a file or the number of entries is too large", () => {
    expect(read(fileOf("a", bytesOf(11)), 7, { ...limits, maxFileBytes: 10 })).toBe(
      "The file a is larger than the maximum of 10 bytes."
    )
    const folders = Buffer.concat(Array.from({ length: 101 }, () => folder("x/")))
    expect(read(folders, 4096)).toBe("The archive has more than 100 entries.")
  })

  it("may end in a record of zeros, and in no more than that", () => {
    const archive = Buffer.concat([fileOf("a", bytesOf(3)), tarEnd])
    expect(read(Buffer.concat([archive, new Uint8Array(10_240)]), 512)).toHaveLength(1)
    const endless = Buffer.concat([archive, new Uint8Array(2_000_000)])
    expect(read(endless, 65_536)).toBe("The archive contains data after its end.")
  })
})
