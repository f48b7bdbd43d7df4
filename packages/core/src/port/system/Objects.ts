import { Context, Effect, Stream } from "effect"
import { GrowingBytes } from "../../domain/text/GrowingBytes.ts"
import { TaggedError } from "../../domain/TaggedError.ts"

/**
 * The object store cannot be reached, is full, or currently rejects requests. The object may or may not have been
 * stored. The same call may succeed later.
 */
export class ObjectsUnavailable extends TaggedError("ObjectsUnavailable")<{
  /** The cause without secrets. It is written to the log and never sent to a client. */
  readonly reason: string
}> {}

/**
 * Storage of bytes that are too large for database rows: raw emails and attachments. The keys of different tenants are
 * independent.
 */
export class Objects extends Context.Service<
  Objects,
  {
    /**
     * Stores an object under a key, durably before it returns. An existing object with the same key is replaced. A key
     * is any text of up to 50 characters.
     */
    readonly put: (tenantId: string, key: string, bytes: Uint8Array) => Effect.Effect<void, ObjectsUnavailable>
    /**
     * Like `put`, but stores the bytes while they arrive. After a failure of the stream, no object is stored. Absent if
     * the storage needs the complete object; `putStream` then collects the bytes.
     */
    readonly putStream?: <E>(
      tenantId: string,
      key: string,
      content: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<void, E | ObjectsUnavailable>
    /** Returns the object, or null. */
    readonly get: (tenantId: string, key: string) => Effect.Effect<Uint8Array | null, ObjectsUnavailable>
    /** Deletes an object. Succeeds also when the object does not exist. */
    readonly remove: (tenantId: string, key: string) => Effect.Effect<void, ObjectsUnavailable>
  }
>()("core/port/system/Objects") {}

/**
 * Stores a stream under a key, without holding it in memory if the storage permits. The caller must limit the length.
 */
export const putStream = Effect.fnUntraced(function* <E>(
  tenantId: string,
  key: string,
  content: Stream.Stream<Uint8Array, E>
) {
  const objects = yield* Objects
  if (objects.putStream !== undefined) return yield* objects.putStream(tenantId, key, content)
  const collected = new GrowingBytes()
  yield* Stream.runForEach(content, (bytes) => Effect.sync(() => collected.append(bytes)))
  yield* objects.put(tenantId, key, collected.take())
})

/**
 * The length of the start of a key that names its folder: the prefix of an id and its next five characters. Ids of
 * about nine hours share these characters, which limits the number of objects in a folder.
 */
const folderLength = 9

/**
 * Replaces every character except `a-z`, `0-9`, `_` and `-` by a dot and four hexadecimal digits. The result is never
 * `..`. Different texts have different results.
 */
const plain = (text: string): string =>
  text === ""
    ? ".empty"
    : text.replace(/[^a-z0-9_-]/gs, (unit) => `.${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * Returns the path of an object: tenant, folder and name. It contains only lower-case letters, digits, `_`, `-`, `/`
 * and dots. FROZEN, because stored objects are found by this path.
 */
export const objectPath = (tenantId: string, key: string): string =>
  `${plain(tenantId)}/${plain(key.slice(0, folderLength))}/${plain(key)}`
