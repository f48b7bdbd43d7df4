import { archiveLimits } from "@leadloom/core/internal/domain/privacy/Archive"
import { type TarFile, tarFiles } from "@leadloom/core/internal/domain/privacy/Tar"
import { Effect, Stream } from "effect"
import { Tar } from "effect/encoding"

/** Returns an archive of these entries. */
export const tarOf = (...entries: ReadonlyArray<Tar.Entry>): Uint8Array<ArrayBuffer> => {
  const encoded = Stream.fromIterable(entries).pipe(Stream.pipeThroughChannel(Tar.encode()), Stream.runCollect)
  return new Uint8Array(Buffer.concat(Effect.runSync(encoded)))
}

/** Returns the files of an archive in their order. */
export const filesOf = (archive: Uint8Array): ReadonlyArray<TarFile> =>
  Effect.runSync(Stream.runCollect(tarFiles(Stream.make(archive), archiveLimits)))
