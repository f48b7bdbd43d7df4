/**
 * Receives files and deletes unused ones. Attaching them to messages belongs to `workflow/sending`.
 * Tests: `packages/testkit/src/suite/upload`.
 */
import { Clock, Effect, Stream } from "effect"
import {
  cleanContentType,
  cleanFilename,
  maxUploadBytes,
  type Upload,
  UploadInfected,
  uploadLifetimeMillis,
  UploadTooLarge
} from "../../domain/upload/Upload.ts"
import { FileScanner } from "../../port/provider/FileScanner.ts"
import { Uploads } from "../../port/repository/conversation/Uploads.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Objects, putStream } from "../../port/system/Objects.ts"
import { withSpan } from "../WithSpan.ts"

/** A file that arrives from a client. */
export interface ArrivingFile<E> {
  readonly filename: string
  readonly contentType: string
  readonly content: Stream.Stream<Uint8Array, E>
  /** The name of the caller, from `principalName`. */
  readonly createdBy: string
}

/** Counts the bytes of a stream. Fails with `UploadTooLarge` at the first byte beyond the limit. */
const counted = <E>(content: Stream.Stream<Uint8Array, E>, count: { bytes: number }) =>
  Stream.mapEffect(content, (bytes) => {
    count.bytes += bytes.length
    return count.bytes > maxUploadBytes
      ? Effect.fail(new UploadTooLarge({ limit: maxUploadBytes }))
      : Effect.succeed(bytes)
  })

/**
 * Stores a file of at most `maxUploadBytes`, and scans it while it arrives. A file that is too large, infected or
 * incomplete is not kept.
 */
export const receiveUpload = Effect.fnUntraced(
  function* <E>(tenantId: string, { content, contentType, createdBy, filename }: ArrivingFile<E>) {
    yield* (yield* Tenants).get(tenantId)
    const objects = yield* Objects
    const uploadId = yield* (yield* Ids).next("upl")
    const scan = yield* (yield* FileScanner).open
    const count = { bytes: 0 }
    const scanned = Stream.tap(counted(content, count), scan.write)
    const stored = Effect.gen(function* () {
      yield* putStream(tenantId, uploadId, scanned)
      const finding = yield* scan.verdict
      if (finding !== null) return yield* new UploadInfected({ finding })
      const createdAt = yield* Clock.currentTimeMillis
      const upload: Upload = {
        uploadId,
        tenantId,
        filename: cleanFilename(filename),
        contentType: cleanContentType(contentType),
        size: count.bytes,
        holder: null,
        createdBy,
        createdAt,
        expiresAt: createdAt + uploadLifetimeMillis
      }
      yield* (yield* Uploads).insert(upload)
      return upload
    })
    return yield* Effect.onError(stored, () => Effect.ignore(objects.remove(tenantId, uploadId)))
  },
  Effect.scoped,
  withSpan("receiveUpload")
)
