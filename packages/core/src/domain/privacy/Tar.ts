import { Effect, Stream } from "effect"
import { Tar } from "effect/encoding"
import { GrowingBytes } from "../text/GrowingBytes.ts"
import { ArchiveInvalid } from "./Archive.ts"

/** One file of an archive. */
export interface TarFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The limits of an archive. */
export interface TarLimits {
  /** The maximum size of one file. */
  readonly maxFileBytes: number
  /** The maximum number of entries of any type. Skipped entries count too. */
  readonly maxEntries: number
}

/** The block size of a tar archive in bytes (POSIX.1-2017, pax, "ustar Interchange Format"). */
const block = 512

/**
 * The maximum number of bytes outside the entries of an archive: zeros after its end (programs usually write 10 KiB)
 * and extended headers. Each entry permits `maxExtendedBytes` more. The limit bounds the time, because `Tar.decode`
 * collects an extended header chunk by chunk. An extended header of this size in one-byte chunks takes 0.2 s.
 */
const maxOtherBytes = 262_144
const maxExtendedBytes = 4_096

/**
 * The maximum number of records from extended headers that apply to one entry. The records of a global header apply to
 * each following entry, so without a limit they would multiply the work.
 */
const maxRecords = 100

const invalid = (reason: string) => new ArchiveInvalid({ entry: "the archive", reason })

const notAnExport = "Upload a file that the export endpoint returned."

/**
 * Streams the files of a tar archive, one in memory at a time, in time linear in the length of the archive. Folders and
 * links are skipped. A truncated archive ends without an error after its last complete file. The archive determines the
 * paths, and a path may contain `..`, so the caller must accept only paths that it knows.
 */
export const tarFiles = <E>(
  archive: Stream.Stream<Uint8Array, E>,
  { maxEntries, maxFileBytes }: TarLimits
): Stream.Stream<TarFile, E | ArchiveInvalid> =>
  Stream.suspend(() => {
    let entries = 0
    let received = 0
    let described = 0
    /**
     * Fails when the archive has too much data outside its files, because `Tar.decode` limits neither the number of
     * extended headers nor the data after the end of an archive.
     */
    const checkRest = Effect.suspend(() =>
      received - described > maxOtherBytes + entries * maxExtendedBytes
        ? Effect.fail(invalid(`The archive contains too much data outside its files. ${notAnExport}`))
        : Effect.void
    )
    const read = Effect.fnUntraced(function* ({ body, header }: Tar.Entry<Tar.TarError | E | ArchiveInvalid>) {
      const path = header.path.replace(/^\.\//u, "")
      entries += 1
      described += block + Math.ceil(header.size / block) * block
      if (entries > maxEntries) return yield* invalid(`The archive has more than ${maxEntries} entries.`)
      if (header.size > maxFileBytes)
        return yield* invalid(`The file ${path} is larger than the maximum of ${maxFileBytes} bytes.`)
      if (Object.keys(header.pax).length > maxRecords)
        return yield* invalid(`The file ${path} has more than ${maxRecords} extended header records. ${notAnExport}`)
      if (header.type !== "File") return null
      const content = new GrowingBytes()
      yield* Stream.runForEachArray(body, (chunks) =>
        Effect.sync(() => {
          for (const chunk of chunks) content.append(chunk)
        })
      )
      return { path, bytes: content.take() }
    })
    return archive.pipe(
      // The decoder requests more chunks only after it has consumed the earlier ones. The check therefore runs before
      // each request.
      Stream.mapArrayEffect((chunks) =>
        Effect.map(checkRest, () => {
          for (const chunk of chunks) received += chunk.length
          return chunks
        })
      ),
      Stream.pipeThroughChannel(Tar.decode<E | ArchiveInvalid>()),
      Stream.mapEffect(read),
      Stream.filter((file) => file !== null),
      Stream.catchIf(Tar.isTarError, ({ kind }) =>
        kind === "Truncated" ? Stream.empty : Stream.fail(invalid(`The upload is not a tar archive. ${notAnExport}`))
      ),
      Stream.concat(Stream.fromEffectDrain(checkRest))
    )
  })
