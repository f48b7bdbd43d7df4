import type { Effect } from "effect"
import { Context } from "effect"
import type { Note, NoteKey, NoteNotFound } from "../../../domain/note/Note.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The private notes of a tenant's people about conversations. */
export class Notes extends Context.Service<
  Notes,
  {
    readonly insert: (note: Note) => Effect.Effect<void, StoreUnavailable>
    /** Fails with `NoteNotFound` for an unknown id and for another tenant's. */
    readonly get: (tenantId: string, noteId: string) => Effect.Effect<Note, NoteNotFound | StoreUnavailable>
    /** Replaces an existing note. Does nothing for an unknown note. */
    readonly update: (note: Note) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (tenantId: string, noteId: string) => Effect.Effect<void, StoreUnavailable>
    /** Lists the notes of a contact before a key of its timeline, newest first. Null starts with the newest. */
    readonly before: (
      tenantId: string,
      contactId: string,
      key: NoteKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Note>, StoreUnavailable>
  }
>()("core/port/repository/conversation/Notes") {}
