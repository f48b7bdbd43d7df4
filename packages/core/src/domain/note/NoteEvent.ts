import { preview } from "../conversation/Message.ts"
import type { NewEvent } from "../webhook/Event.ts"
import type { Note } from "./Note.ts"

/** Returns the outbound event about a note. It contains the first characters of the note. */
export const noteEvent = (type: "note.created" | "note.updated" | "note.deleted", note: Note): NewEvent => ({
  type,
  tenantId: note.tenantId,
  data: {
    note_id: note.noteId,
    contact_id: note.contactId,
    author_id: note.authorId,
    author: note.author,
    preview: preview(note.body),
    mentions: note.mentions,
    team_mentions: note.teamMentions
  }
})
