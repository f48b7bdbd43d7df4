import type { Effect } from "effect"
import { Context, Data } from "effect"

/**
 * The object store cannot be reached, is full or refuses to work right now. Whether something was stored is not known;
 * the same call may succeed later.
 */
export class ObjectsUnavailable extends Data.TaggedError("ObjectsUnavailable")<{
  /** What went wrong, without secrets: for the log, never for a client. */
  readonly reason: string
}> {}

/** Bytes under a key, too large for rows: sources of mail, contents of attachments. A tenant's keys are its own. */
export class Objects extends Context.Service<
  Objects,
  {
    /**
     * The bytes are safe when this returns. The same key again replaces them. Any text of up to 50
     * characters is a key.
     */
    readonly put: (tenantId: string, key: string, bytes: Uint8Array) => Effect.Effect<void, ObjectsUnavailable>
    /** Null: there is no such object. */
    readonly get: (tenantId: string, key: string) => Effect.Effect<Uint8Array | null, ObjectsUnavailable>
    /** Nothing happens where nothing is. */
    readonly remove: (tenantId: string, key: string) => Effect.Effect<void, ObjectsUnavailable>
  }
>()("core/port/system/Objects") {}

/** Of ids, some nine hours: what arrives together lies together, and no folder grows without end. */
const folderLength = 9

/** What is not plain becomes a dot and four hexadecimal digits; so nothing is ever `..`, and no two names are one. */
const plain = (text: string): string =>
  text === ""
    ? ".empty"
    : text.replace(/[^a-z0-9_-]/gs, (unit) => `.${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * FROZEN: objects are found by it. Where an object lies: tenant, folder and name, of lower-case letters, digits, `_`, `-`
 * and dots, whatever the key says.
 */
export const objectPath = (tenantId: string, key: string): string =>
  `${plain(tenantId)}/${plain(key.slice(0, folderLength))}/${plain(key)}`
