import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { requireUnmergedContact } from "./ResolveMergedContact.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import { Activities } from "../../port/repository/contact/Contacts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Notes } from "../../port/repository/conversation/Notes.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import type { TimelineEntry, TimelineKey } from "../../domain/contact/Activity.ts"
import { withSpan } from "../WithSpan.ts"

const newestFirst = (one: TimelineKey, other: TimelineKey): number => other.at - one.at || (one.id < other.id ? 1 : -1)

const entriesBefore = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  key: TimelineKey | null,
  limit: number
) {
  const messages = yield* (yield* Messages).before(tenantId, contactId, key, limit)
  const tasks = yield* (yield* Tasks).before(tenantId, contactId, key, limit)
  const notes = yield* (yield* Notes).before(tenantId, contactId, key, limit)
  const activities = yield* (yield* Activities).before(tenantId, contactId, key, limit)
  const entries: ReadonlyArray<TimelineEntry> = [
    ...messages.map((message) => ({
      _tag: "Message" as const,
      at: message.timestamp,
      id: message.messageId,
      message
    })),
    ...tasks.map((task) => ({ _tag: "Task" as const, at: task.createdAt, id: task.taskId, task })),
    ...notes.map((note) => ({ _tag: "Note" as const, at: note.createdAt, id: note.noteId, note })),
    ...activities.map((activity) => ({
      _tag: "Activity" as const,
      at: activity.at,
      id: activity.activityId,
      activity
    }))
  ]
  return entries.toSorted(newestFirst).slice(0, limit)
})

/**
 * Returns a page of a contact's history, newest first: messages, tasks, notes and activities in one order. Of each type, at
 * most one page is read from an index, so the cost does not depend on the length of the history.
 */
export const readTimeline = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  page: { readonly limit: number; readonly cursor: string | null }
) {
  const contact = yield* requireUnmergedContact(tenantId, contactId)
  const { pepper } = yield* Secrets
  const scope: CursorScope = { tenantId, list: "timeline", filters: { contactId: contact.contactId } }
  let key: TimelineKey | null = null
  if (page.cursor !== null) {
    const [at, id] = decodeCursor(page.cursor, scope, pepper) ?? []
    if (typeof at !== "number" || typeof id !== "string") return yield* new CursorInvalid()
    key = { at, id }
  }
  const found = yield* entriesBefore(tenantId, contact.contactId, key, page.limit + 1)
  const entries = found.slice(0, page.limit)
  const last = entries.at(-1)
  const more = found.length > page.limit && last !== undefined
  return { entries, nextCursor: more ? encodeCursor(scope, [last.at, last.id], pepper) : null }
}, withSpan("readTimeline"))
