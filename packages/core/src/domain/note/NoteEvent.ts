import { preview } from "../conversation/Message.ts"
import type { NewEvent } from "../webhook/Event.ts"
import type { UserId } from "../Id.ts"
import type { Note } from "./Note.ts"

/**
 * Returns the outbound event about a note. It contains the first characters of the note. `earlier` are the mentions
 * before the change. The others are new, so that a consumer notifies a user once for each mention.
 */
export const noteEvent = (
  type: "note.created" | "note.updated" | "note.deleted",
  note: Note,
  earlier: ReadonlyArray<UserId> = []
): NewEvent => ({
  type,
  tenantId: note.tenantId,
  data: {
    note_id: note.noteId,
    contact_id: note.contactId,
    author_id: note.authorId,
    author: note.author,
    preview: preview(note.body),
    mentions: note.mentions,
    new_mentions: note.mentions.filter((userId) => !earlier.includes(userId)),
    team_mentions: note.teamMentions
  }
})
