/**
 * Writes, changes and deletes private notes. Only the author changes a note; the author and managers delete it. Tests:
 * `packages/testkit/src/suite/note`.
 */
import { Clock, Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import type { UserId } from "../../domain/Id.ts"
import {
  maxMentions,
  maxNoteLength,
  maxTeamMentions,
  type Mentioned,
  mentionsIn,
  type Note,
  NoteInvalid,
  type NoteKey,
  NoteNotFound,
  NoteOfAnother
} from "../../domain/note/Note.ts"
import { noteEvent } from "../../domain/note/NoteEvent.ts"
import { Notes } from "../../port/repository/conversation/Notes.ts"
import { Teams } from "../../port/repository/tenant/Teams.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { orContactMerged, requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { ActingUser } from "../ActingUser.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"

/** The credential that writes, changes or deletes a note. The acting user is the author if there is one. */
export interface NoteWriter extends Pick<Note, "author"> {
  /** Whether the caller has the rights of a manager. */
  readonly isManager: boolean
}

const invalid = (message: string): NoteInvalid => new NoteInvalid({ issues: [{ path: "body", message }] })

/** Fails with `NoteInvalid` for a mention of an unknown user, and for a new mention of a deactivated one. */
const requireMentionable = Effect.fnUntraced(function* (
  tenantId: string,
  userIds: ReadonlyArray<UserId>,
  earlier: ReadonlyArray<UserId>
) {
  const found = yield* (yield* Users).some(tenantId, userIds)
  const known = new Set(found.map(({ userId }) => userId))
  const unknown = userIds.find((userId) => !known.has(userId))
  if (unknown !== undefined) return yield* invalid(`Unknown user ${unknown}. Mention users of this tenant.`)
  const inactive = found.find(({ active, userId }) => !active && !earlier.includes(userId))
  if (inactive !== undefined)
    return yield* invalid(`The user ${inactive.userId} is deactivated. Mention active users of this tenant.`)
})

/** Returns the mentioned users, with the active members of the mentioned teams. `earlier` are mentions before a change. */
const mentionedUsers = Effect.fnUntraced(function* (
  tenantId: string,
  { teamIds, userIds }: Mentioned,
  earlier: ReadonlyArray<UserId>
) {
  const [users, teams] = [yield* Users, yield* Teams]
  yield* requireMentionable(tenantId, userIds, earlier)
  const mentioned = yield* Effect.forEach(teamIds, (teamId) => teams.get(tenantId, teamId)).pipe(
    Effect.catchTag("TeamNotFound", ({ teamId }) => invalid(`Unknown team ${teamId}. Mention teams of this tenant.`))
  )
  const members = yield* users.some(tenantId, [...new Set(mentioned.flatMap(({ memberIds }) => memberIds))])
  const active = members.filter((member) => member.active).map(({ userId }) => userId)
  return [...new Set([...userIds, ...active])]
})

/** Returns the trimmed body and its mentions. Fails with `NoteInvalid` for an unusable body. */
const readBody = Effect.fnUntraced(function* (tenantId: string, text: string, earlier: ReadonlyArray<UserId> = []) {
  const body = text.trim()
  if (body === "") return yield* invalid("The note is empty. Send a text.")
  if (body.length > maxNoteLength) return yield* invalid(`Expected at most ${maxNoteLength} characters.`)
  const { teamIds, userIds } = mentionsIn(body)
  if (teamIds.length + userIds.length > maxMentions)
    return yield* invalid(`A note mentions at most ${maxMentions} users and teams.`)
  if (teamIds.length > maxTeamMentions) return yield* invalid(`A note mentions at most ${maxTeamMentions} teams.`)
  return { body, mentions: yield* mentionedUsers(tenantId, { teamIds, userIds }, earlier), teamMentions: teamIds }
})

const isAuthor = Effect.fnUntraced(function* (note: Note, { author }: NoteWriter) {
  const user = yield* ActingUser
  return note.authorId === null ? note.author === author : note.authorId === user?.userId
})

/** Returns a note of a conversation. A merge may have moved the note to another contact. */
const find = Effect.fnUntraced(function* (tenantId: string, contactId: string, noteId: string) {
  const missing = orContactMerged(tenantId, contactId)
  const note = yield* Effect.catchTag((yield* Notes).get(tenantId, noteId), "NoteNotFound", missing)
  return note.contactId === contactId ? note : yield* missing(new NoteNotFound({ noteId }))
})

/** Stores a new note of the acting user, and its event. Runs inside a unit of work. */
export const insertNote = Effect.fnUntraced(function* (
  about: Pick<Note, "tenantId" | "contactId" | "author">,
  content: Pick<Note, "body" | "mentions" | "teamMentions">,
  now: number
) {
  const noteId = yield* (yield* Ids).next("note")
  const authorId = (yield* ActingUser)?.userId ?? null
  const note: Note = { ...about, ...content, noteId, authorId, createdAt: now, updatedAt: now }
  yield* (yield* Notes).insert(note)
  yield* recordEvents([noteEvent("note.created", note)], now)
  return note
})

/** Writes a note about the conversation with a contact. */
export const createNote = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  text: string,
  { author }: NoteWriter
) {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const contact = yield* requireUnmergedContact(tenantId, contactId)
      const content = yield* readBody(tenantId, text)
      return yield* insertNote({ tenantId, contactId: contact.contactId, author }, content, now)
    })
  )
}, withSpan("createNote"))

/** Replaces the text of a note. Fails with `NoteOfAnother` for a caller other than the author. */
export const updateNote = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  noteId: string,
  text: string,
  writer: NoteWriter
) {
  const now = yield* Clock.currentTimeMillis
  const notes = yield* Notes
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* find(tenantId, contactId, noteId)
      if (!(yield* isAuthor(before, writer))) return yield* new NoteOfAnother({ noteId })
      const content = yield* readBody(tenantId, text, before.mentions)
      if (content.body === before.body) return before
      const note: Note = { ...before, ...content, updatedAt: now }
      yield* notes.update(note)
      yield* recordEvents([noteEvent("note.updated", note, before.mentions)], now)
      return note
    })
  )
}, withSpan("updateNote"))

/** Deletes a note. Fails with `NoteOfAnother` unless the caller is the author or a manager. */
export const deleteNote = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  noteId: string,
  writer: NoteWriter
) {
  const now = yield* Clock.currentTimeMillis
  const notes = yield* Notes
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const note = yield* find(tenantId, contactId, noteId)
      if (!writer.isManager && !(yield* isAuthor(note, writer))) return yield* new NoteOfAnother({ noteId })
      yield* notes.remove(tenantId, noteId)
      yield* recordEvents([noteEvent("note.deleted", note, note.mentions)], now)
    })
  )
}, withSpan("deleteNote"))

const readKey = ([at, id]: CursorKey): NoteKey | null =>
  typeof at === "number" && typeof id === "string" ? { at, id } : null

/** Returns a page of the notes about a conversation, newest first. */
export const listNotes = Effect.fnUntraced(function* (tenantId: string, contactId: string, page: PageRequest) {
  const contact = yield* requireUnmergedContact(tenantId, contactId)
  const notes = yield* Notes
  return yield* readPage(
    {
      scope: { tenantId, list: "notes", filters: { contactId: contact.contactId } },
      fetch: (limit, before: NoteKey | null) => notes.before(tenantId, contact.contactId, before, limit),
      keyOf: (note) => [note.createdAt, note.noteId],
      readKey
    },
    page
  )
}, withSpan("listNotes"))
