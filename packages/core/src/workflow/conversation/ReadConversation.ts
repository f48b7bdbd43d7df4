import { Effect, Stream } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import type { TimelineKey } from "../../domain/contact/Activity.ts"
import { orContactMerged } from "../contact/ResolveMergedContact.ts"
import type { MessageId } from "../../domain/Id.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import type { Message, MessageOutline } from "../../domain/conversation/Message.ts"

/** Messages on a page whose size the client does not name, and the most on one whose size it names. */
export const defaultPageSize = 200

/** Most messages of a history that is read as a whole. */
export const maxHistoryMessages = 10_000

/** Most bytes of stored messages in one answer. A single larger message is an answer of its own. */
export const maxHistoryBytes = 64 * 2 ** 20

/** How much of a history one answer holds. */
export interface HistoryBounds {
  readonly messages: number
  readonly bytes: number
}

const historyBounds: HistoryBounds = { messages: maxHistoryMessages, bytes: maxHistoryBytes }

/** Most stored bytes and messages that are read at once: what a reader holds, and what others wait for. */
export const maxPieceBytes = 2 ** 18
const maxPieceMessages = 50

/** Outlines that are read at once. SQLite goes through a long text to the columns behind it. */
const outlineSize = 200

/** What a client asks of a history; both null: all of it. */
export interface HistoryRequest {
  readonly limit: number | null
  readonly cursor: string | null
}

/** A history before its texts are read: what it consists of, and where the next page begins. */
export interface History {
  /** Ids of its messages, oldest first, in pieces that are read at once. */
  readonly pieces: ReadonlyArray<ReadonlyArray<MessageId>>
  /** Bytes of its messages as they are stored. */
  readonly bytes: number
  /** Leads to older messages; null: these are all. */
  readonly nextCursor: string | null
}

/** Outlines of the newest messages before a key, up to the first one that is too many. */
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
    // Others get their turn in between.
    yield* Effect.yieldNow
  }
  return found
})

/** How many of the outlines one answer holds: at least one, if there is one. */
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
 * Opens a contact's history over all channels: all of it, or a page of the newest messages before a cursor. Both end after
 * `maxHistoryBytes`, and the whole after `maxHistoryMessages`; a cursor then leads to what is older.
 */
export const openHistory = Effect.fn("openHistory")(function* (
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
})

/** One piece of a history, oldest first. What was erased meanwhile is left out. */
const readPiece = Effect.fnUntraced(function* (tenantId: string, ids: ReadonlyArray<MessageId>) {
  const found = new Map((yield* (yield* Messages).findAll(tenantId, ids)).map((one) => [one.messageId, one]))
  return ids.flatMap((id) => found.get(id) ?? [])
})

/** The messages of a history piece by piece, read as they are asked for; between two pieces others get their turn. */
export const streamHistory = (tenantId: string, { pieces }: Pick<History, "pieces">) =>
  Stream.fromIterable(pieces).pipe(Stream.mapEffect((ids) => Effect.andThen(Effect.yieldNow, readPiece(tenantId, ids))))

/** The messages of a history at once, which `bytes` says whether that can be done. */
export const readHistory = Effect.fnUntraced(function* (tenantId: string, { pieces }: Pick<History, "pieces">) {
  const read: ReadonlyArray<ReadonlyArray<Message>> = yield* Effect.forEach(pieces, (ids) => readPiece(tenantId, ids))
  return read.flat()
})

/** A page of a contact's history, oldest first within it, as `openHistory` limits it. */
export const readConversation = Effect.fn("readConversation")(function* (
  tenantId: string,
  contactId: string,
  { cursor, limit = defaultPageSize }: { readonly cursor: string | null; readonly limit?: number }
) {
  const history = yield* openHistory(tenantId, contactId, { cursor, limit })
  return { messages: yield* readHistory(tenantId, history), nextCursor: history.nextCursor }
})
