import type { Effect } from "effect"
import { Context, Data } from "effect"

/**
 * The object store cannot be reached, is full or rejects requests at the moment. The object may or may not have been
 * stored; the same call may succeed later.
 */
export class ObjectsUnavailable extends Data.TaggedError("ObjectsUnavailable")<{
  /** The cause without secrets, for the log, never for a client. */
  readonly reason: string
}> {}

/** Bytes under a key that are too large for database rows: raw emails and attachments. Each tenant has its own keys. */
export class Objects extends Context.Service<
  Objects,
  {
    /**
     * Stores an object durably before it returns. It replaces an existing object with the same key. A key is any text
     * of up to 50 characters.
     */
    readonly put: (tenantId: string, key: string, bytes: Uint8Array) => Effect.Effect<void, ObjectsUnavailable>
    /** Returns the object, or null. */
    readonly get: (tenantId: string, key: string) => Effect.Effect<Uint8Array | null, ObjectsUnavailable>
    /** Deletes an object. Succeeds when there is none. */
    readonly remove: (tenantId: string, key: string) => Effect.Effect<void, ObjectsUnavailable>
  }
>()("core/port/system/Objects") {}

/**
 * The length of the part of a key that names the folder: prefix and the first five characters of an id. They cover
 * about nine hours of time, which limits the number of objects in a folder.
 */
const folderLength = 9

/**
 * Escapes each other character as a dot and four hexadecimal digits. The result is never `..`, and different texts have
 * different results.
 */
const plain = (text: string): string =>
  text === ""
    ? ".empty"
    : text.replace(/[^a-z0-9_-]/gs, (unit) => `.${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * FROZEN: stored objects are found by this path. The path of an object: tenant, folder and name. It contains only
 * lower-case letters, digits, `_`, `-` and dots.
 */
export const objectPath = (tenantId: string, key: string): string =>
  `${plain(tenantId)}/${plain(key.slice(0, folderLength))}/${plain(key)}`
