import { Note, NoteNotFound } from "@leadloom/core/internal/domain/note/Note"
import { Notes } from "@leadloom/core/internal/port/repository/conversation/Notes"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { newest } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const notes = table(Note, { name: "notes", key: ["tenantId", "noteId"] })

/** Stores private notes in SQL. */
export const layer: Layer.Layer<Notes, never, Database> = Layer.effect(
  Notes,
  Effect.map(Database, (database) => {
    const { by, command } = database
    const read = notes.reading(database)
    const insert = command(notes.insert)
    const update = command(notes.replace)
    const remove = command("DELETE FROM notes WHERE tenant_id = ? AND note_id = ?")
    const find = read.one(`SELECT ${notes.columns} FROM notes WHERE tenant_id = ? AND note_id = ?`)
    const before = read.all(
      `SELECT ${notes.columns} FROM notes ${by("notes_contact")}
        WHERE tenant_id = ? AND contact_id = ? AND (created_at, note_id) < (?, ?)
        ORDER BY created_at DESC, note_id DESC LIMIT ?`
    )
    return Notes.of({
      insert: (note) => insert(...notes.values(note)),
      get: Effect.fnUntraced(function* (tenantId, noteId) {
        return (yield* find(tenantId, noteId)) ?? (yield* new NoteNotFound({ noteId }))
      }),
      update: (note) => update(...notes.changes(note)),
      remove,
      before: (tenantId, contactId, key, limit) => before(tenantId, contactId, key?.at ?? newest, key?.id ?? "", limit)
    })
  })
)
