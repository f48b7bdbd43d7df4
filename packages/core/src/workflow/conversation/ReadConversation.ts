/**
 * Reads conversations, marks them as read, and sends messages that a person writes. The transmission does not belong
 * here (`workflow/sending`, `workflow/sms`). Tests: `packages/testkit/src/suite/conversation`,
 * `packages/core/test/domain/conversation`.
 */
import { Effect, Stream } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import type { TimelineKey } from "../../domain/contact/Activity.ts"
import { orContactMerged } from "../contact/ResolveMergedContact.ts"
import type { MessageId } from "../../domain/Id.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import type { Message, MessageOutline } from "../../domain/conversation/Message.ts"
import { withSpan } from "../WithSpan.ts"

/** The number of messages per page. It is the default and the maximum for a requested page size. */
export const defaultPageSize = 200

/** The maximum number of messages of a complete history. */
export const maxHistoryMessages = 10_000

/**
 * The maximum size of the stored messages in one response, in bytes. A single message may exceed it and is then the
 * only one in its response.
 */
export const maxHistoryBytes = 64 * 2 ** 20

/** The bounds of one response. */
export interface HistoryBounds {
  readonly messages: number
  readonly bytes: number
}

const historyBounds: HistoryBounds = { messages: maxHistoryMessages, bytes: maxHistoryBytes }

/**
 * The maximum size and number of messages that one read returns. The limits bound the memory of the response and the
 * time for which other requests wait.
 */
export const maxPieceBytes = 2 ** 18
const maxPieceMessages = 50

/**
 * The number of outlines that one read returns. It is limited, because SQLite must read long texts to reach the columns
 * after them.
 */
const outlineSize = 200

/** The requested part of a history. If both fields are null, the whole history is requested. */
export interface HistoryRequest {
  readonly limit: number | null
  readonly cursor: string | null
}

/** A history whose texts are not read yet: the message ids, and the start of the next page. */
export interface History {
  /** The message ids, oldest first, in groups. The messages of a group are read together. */
  readonly pieces: ReadonlyArray<ReadonlyArray<MessageId>>
  /** The stored size of its messages in bytes. */
  readonly bytes: number
  /** The cursor of the next page, which contains older messages. Null when there are none. */
  readonly nextCursor: string | null
}

/**
 * Returns outlines of the newest messages before a position, up to the first message that exceeds the bounds
 * (inclusive).
 */
const outlinesBefore = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  before: TimelineKey | null,
  max: HistoryBounds
) {
  const messages = yield* Messages
  const found: Array<MessageOutline> = []
  let [key, bytes] = [before, 0]
  while (found.length <= max.messages && bytes <= max.bytes) {
    const requested = Math.min(outlineSize, max.messages + 1 - found.length)
    const outlines = yield* messages.outline(tenantId, contactId, key, requested)
    for (const outline of outlines) {
      bytes += outline.bytes
      found.push(outline)
    }
    const last = outlines.at(-1)
    if (last === undefined || outlines.length < requested) break
    key = { at: last.timestamp, id: last.messageId }
    // Lets other requests run between two reads.
    yield* Effect.yieldNow
  }
  return found
})

/** Returns the number of outlines that fit into one response. It is at least one, unless there are none. */
const fitting = (outlines: ReadonlyArray<MessageOutline>, max: HistoryBounds): number => {
  let bytes = 0
  const beyond = outlines.findIndex((outline, index) => {
    bytes += outline.bytes
    return index > 0 && (index >= max.messages || bytes > max.bytes)
  })
  return beyond === -1 ? outlines.length : beyond
}

const piecesOf = (outlines: ReadonlyArray<MessageOutline>): ReadonlyArray<ReadonlyArray<MessageId>> => {
  const pieces: Array<Array<MessageId>> = []
  let [piece, bytes]: [Array<MessageId>, number] = [[], 0]
  for (const outline of outlines) {
    if (piece.length > 0 && (piece.length >= maxPieceMessages || bytes + outline.bytes > maxPieceBytes)) {
      pieces.push(piece)
      ;[piece, bytes] = [[], 0]
    }
    piece.push(outline.messageId)
    bytes += outline.bytes
  }
  return piece.length === 0 ? pieces : [...pieces, piece]
}

/**
 * Opens a contact's history on all channels: the whole history, or a page of the newest messages before a cursor. Both
 * end after `maxHistoryBytes`. The whole history also ends after `maxHistoryMessages`. If messages remain, the result
 * contains a cursor to them.
 */
export const openHistory = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  { cursor, limit }: HistoryRequest,
  bounds = historyBounds
) {
  const conversation = yield* (yield* Conversations)
    .get(tenantId, contactId)
    .pipe(Effect.catchTag("ConversationNotFound", orContactMerged(tenantId, contactId)))
  const { pepper } = yield* Secrets
  const scope: CursorScope = { tenantId, list: "messages", filters: { contact: conversation.contactId } }
  let before: TimelineKey | null = null
  if (cursor !== null) {
    const [timestamp, messageId] = decodeCursor(cursor, scope, pepper) ?? []
    if (typeof timestamp !== "number" || typeof messageId !== "string") return yield* new CursorInvalid()
    before = { at: timestamp, id: messageId }
  }
  const page = limit ?? (cursor === null ? bounds.messages : defaultPageSize)
  const max = { messages: Math.min(page, bounds.messages), bytes: bounds.bytes }
  const found = yield* outlinesBefore(tenantId, conversation.contactId, before, max)
  const held = found.slice(0, fitting(found, max))
  const oldest = held.at(-1)
  const more = found.length > held.length && oldest !== undefined
  return {
    pieces: piecesOf(held.toReversed()),
    bytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
    nextCursor: more ? encodeCursor(scope, [oldest.timestamp, oldest.messageId], pepper) : null
  } satisfies History
}, withSpan("openHistory"))

/** Reads one group of messages, oldest first. Messages that were erased meanwhile are omitted. */
const readPiece = Effect.fnUntraced(function* (tenantId: string, ids: ReadonlyArray<MessageId>) {
  const found = new Map((yield* (yield* Messages).findAll(tenantId, ids)).map((one) => [one.messageId, one]))
  return ids.flatMap((id) => found.get(id) ?? [])
})

/**
 * Streams the messages of a history. The next group is read only when the consumer needs it. Other requests run between
 * two groups.
 */
export const streamHistory = (tenantId: string, { pieces }: Pick<History, "pieces">) =>
  Stream.fromIterable(pieces).pipe(Stream.mapEffect((ids) => Effect.andThen(Effect.yieldNow, readPiece(tenantId, ids))))

/** Reads all messages of a history into memory. Check `bytes` of the history before you call it. */
export const readHistory = Effect.fnUntraced(function* (tenantId: string, { pieces }: Pick<History, "pieces">) {
  const read: ReadonlyArray<ReadonlyArray<Message>> = yield* Effect.forEach(pieces, (ids) => readPiece(tenantId, ids))
  return read.flat()
})

/** Returns a page of a contact's history, oldest message first. `openHistory` determines the bounds of the page. */
export const readConversation = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  { cursor, limit = defaultPageSize }: { readonly cursor: string | null; readonly limit?: number }
) {
  const history = yield* openHistory(tenantId, contactId, { cursor, limit })
  return { messages: yield* readHistory(tenantId, history), nextCursor: history.nextCursor }
}, withSpan("readConversation"))
