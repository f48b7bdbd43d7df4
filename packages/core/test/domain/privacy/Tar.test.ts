import { tarOf } from "@leadloom/testkit/suite/privacy/TarBytes"
import { Effect, Stream } from "effect"
import { Tar } from "effect/encoding"
import { describe, expect, it } from "vitest"
import { type TarFile, tarFiles } from "../../../src/domain/privacy/Tar.ts"

const limits = { maxFileBytes: 1_048_576, maxEntries: 100 }

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at % 251)

const chunksOf = (bytes: Uint8Array, size: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))

/** Reads an archive in chunks of the given size. Returns its files, or the first problem. */
const read = (archive: Uint8Array, size: number, bounds = limits): Promise<ReadonlyArray<TarFile> | string> => {
  const body = Stream.fromIterable(chunksOf(archive, size))
  return tarFiles(body, bounds).pipe(
    Stream.runCollect,
    Effect.catchTag("ArchiveInvalid", ({ reason }) => Effect.succeed(reason)),
    Effect.runPromise
  )
}

const contents = [bytesOf(0), bytesOf(1), bytesOf(512), bytesOf(300_000)]
const expected = contents.map((bytes, index) => ({ path: `messages/${index}`, bytes: new Uint8Array(bytes) }))

/** FROZEN: an entry as release 0.1.0 wrote it. */
const entryOfFirstRelease = (path: string, content: Uint8Array): Uint8Array => {
  const header = Buffer.alloc(512)
  header.write(path, 0, "latin1")
  header.write("0000600\0" + "0000000\0".repeat(2), 100, "latin1")
  header.write(`${content.length.toString(8).padStart(11, "0")}\0${"0".repeat(11)}\0        0`, 124, "latin1")
  header.write("ustar\x0000", 257, "latin1")
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1")
  return Buffer.concat([header, content, new Uint8Array((512 - (content.length % 512)) % 512)])
}

describe("a tar archive", () => {
  it("gives the same files for chunks of any size, even one byte", async () => {
    const files = contents.map((content, index) => Tar.file(`./messages/${index}`, content))
    const archive = tarOf(Tar.directory("messages"), Tar.symlink("latest", "messages/1"), ...files)
    for (const size of [1, 511, 513, archive.length]) expect(await read(archive, size)).toEqual(expected)
  })

  it("of the first release is read, also without its end", async () => {
    const files = contents.map((content, index) => entryOfFirstRelease(`messages/${index}`, content))
    expect(await read(Buffer.concat([...files, new Uint8Array(1_024)]), 4_096)).toEqual(expected)
    expect(await read(Buffer.concat(files), 4_096)).toEqual(expected)
  })

  it("yields only the complete files when it is truncated", async () => {
    const archive = tarOf(Tar.file("a", bytesOf(700)), Tar.file("b", bytesOf(700)))
    const first = { path: "a", bytes: bytesOf(700) }
    for (const length of [1_536, 1_700, 2_048, 2_300])
      expect(await read(archive.subarray(0, length), 512)).toEqual([first])
  })

  it("is rejected when it has another format", async () => {
    const reason = "The upload is not a tar archive. Upload a file that the export endpoint returned."
    for (const text of ['{"format":"leadloom-export"}\n'.repeat(40), "PK\x03\x04".repeat(300)])
      expect(await read(new TextEncoder().encode(text), 100)).toBe(reason)
  })

  it("is rejected when a file or the number of entries is too large", async () => {
    expect(await read(tarOf(Tar.file("a", bytesOf(11))), 7, { ...limits, maxFileBytes: 10 })).toBe(
      "The file a is larger than the maximum of 10 bytes."
    )
    const folders = tarOf(...Array.from({ length: 101 }, () => Tar.directory("x")))
    expect(await read(folders, 4_096)).toBe("The archive has more than 100 entries.")
  })

  it("may end in one record of zeros, and no more", async () => {
    const archive = tarOf(Tar.file("a", bytesOf(3)))
    expect(await read(Buffer.concat([archive, new Uint8Array(10_240)]), 512)).toHaveLength(1)
    const endless = Buffer.concat([archive, new Uint8Array(2_000_000)])
    expect(await read(endless, 65_536)).toContain("The archive contains too much data outside its files.")
  })

  it("may have extended headers, but neither endless ones nor thousands of records", async () => {
    const path = `${"folder/".repeat(30)}größe`
    expect(await read(tarOf(Tar.file(path, "x", { pax: { comment: "y" } })), 512)).toMatchObject([{ path }])
    const records = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, "v"]))
    expect(await read(tarOf(Tar.file("a", "x", { pax: records })), 512)).toContain(
      "more than 100 extended header records"
    )
    const described = tarOf(Tar.file("a", "x", { pax: { comment: "y".repeat(200_000) } }))
    // The extended header without its file, twice.
    const header = described.subarray(0, described.length - 4 * 512)
    expect(await read(Buffer.concat([header, header, described]), 65_536)).toContain("too much data outside its files")
  })
})
