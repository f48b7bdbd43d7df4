/**
 * Private notes of a tenant's people about a conversation, and their mentions. A contact never receives a note, and no
 * prompt of a model contains one. Storing notes belongs to `workflow/note`. Tests:
 * `packages/core/test/domain/note`, `packages/testkit/src/suite/note`.
 */
import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { Time } from "../Field.ts"
import { ContactId, NoteId, TeamId, UserId } from "../Id.ts"

/** The maximum length of a note, in characters. */
export const maxNoteLength = 10_000

/** The maximum number of different users and teams that one note may name. */
export const maxMentions = 50

/** The maximum number of different teams that one note may name, because a team has many members. */
export const maxTeamMentions = 10

/** A private note about a conversation. */
export class Note extends Schema.Opaque<Note>()(
  Schema.Struct({
    noteId: NoteId.annotate({ description: "Note id (`note_…`)" }),
    tenantId: Schema.String,
    contactId: ContactId.annotate({ description: "The contact whose conversation the note is about" }),
    authorId: Schema.NullOr(UserId).annotate({
      description: "The user who wrote the note; null: the caller was not a user"
    }),
    author: Schema.String.annotate({
      description: "The credential that wrote the note, in the form of the audit trail"
    }),
    body: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxNoteLength)).annotate({
      description: `Plain text or Markdown, at most ${maxNoteLength} characters. \`<@usr_…>\` mentions a user, \`<@team_…>\` a team`
    }),
    mentions: Schema.Array(UserId).annotate({
      description: "The mentioned users, including the active members of mentioned teams when the note was written"
    }),
    teamMentions: Schema.Array(TeamId).annotate({ description: "The mentioned teams" }),
    createdAt: Time.annotate({ description: "The time at which the note was written (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** The position of a note in the list of a conversation, which is ordered by time, newest first. */
export interface NoteKey {
  readonly at: number
  readonly id: string
}

/** The ids that a text mentions, each once, in the order of the text. */
export interface Mentioned {
  readonly userIds: ReadonlyArray<UserId>
  readonly teamIds: ReadonlyArray<TeamId>
}

const isUserId = (id: string): id is UserId => id.startsWith("usr_")
const isTeamId = (id: string): id is TeamId => id.startsWith("team_")

/** Returns the users and teams that a text names as `<@usr_…>`, `@usr_…`, `<@team_…>` or `@team_…`. */
export const mentionsIn = (text: string): Mentioned => {
  const ids = new Set([...text.matchAll(/@((?:usr|team)_[0-9a-z]{26})(?![0-9a-z])/gu)].map(([, id = ""]) => id))
  return { userIds: [...ids].filter(isUserId), teamIds: [...ids].filter(isTeamId) }
}

/** The tenant has no such note in this conversation. */
export class NoteNotFound extends TaggedError("NoteNotFound")<{ readonly noteId: string }> {}

/** Only the author may change a note. A manager may delete it, too. */
export class NoteOfAnother extends TaggedError("NoteOfAnother")<{ readonly noteId: string }> {}

/** The body of a note is empty, too long, or mentions unknown users or teams. */
export class NoteInvalid extends TaggedError("NoteInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
