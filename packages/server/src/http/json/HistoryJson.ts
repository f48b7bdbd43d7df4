import type * as Wire from "@leadloom/api/internal/inbox/Conversations"
import { type History, streamHistory } from "@leadloom/core/internal/workflow/conversation/ReadConversation"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { log } from "../../LogEvents.ts"

type Json = Readonly<Record<string, unknown>>

/** The number of characters of a text that are encoded in one step. */
const maxSlice = 2 ** 18

/**
 * Encodes a text as JSON in slices. If a slice divides a surrogate pair, both halves are escaped and decode to the same
 * pair.
 */
function* textPieces(text: string): Generator<string> {
  yield '"'
  for (let at = 0; at < text.length; at += maxSlice) yield JSON.stringify(text.slice(at, at + maxSlice)).slice(1, -1)
  yield '"'
}

/** Encodes an object as JSON. Encodes a long text in slices, so that no single step takes long. */
export function* objectPieces(value: Json): Generator<string> {
  const entries = Object.entries(value).filter(([, of]) => of !== undefined)
  const isLong = (of: unknown): of is string => typeof of === "string" && of.length > maxSlice
  if (!entries.some(([, of]) => isLong(of))) return yield JSON.stringify(value)
  let opening = "{"
  for (const [name, of] of entries) {
    yield `${opening}${JSON.stringify(name)}:`
    opening = ","
    if (isLong(of)) yield* textPieces(of)
    else yield JSON.stringify(of)
  }
  yield "}"
}

/** The fields of the response besides the messages. */
type Rest = Pick<typeof Wire.MessagePage.Type, "next_cursor" | "pending_draft">

/** Encodes messages as JSON. A comma precedes each message except the first one of the history. */
function* messagePieces(messages: ReadonlyArray<Json>, isFirst: boolean): Generator<string> {
  for (const [index, message] of messages.entries()) {
    if (!isFirst || index > 0) yield ","
    yield* objectPieces(message)
  }
}

/** Joins short pieces, because a separate write costs more time than the bytes of a short piece. */
function* joined(pieces: Iterable<string>): Generator<string> {
  let text = ""
  for (const piece of pieces) {
    text += piece
    if (text.length < maxSlice) continue
    yield text
    text = ""
  }
  if (text !== "") yield text
}

/**
 * Streams a history while it is read. Memory holds only one piece, regardless of the size of the history and the speed
 * of the client. If the stream fails, the connection is closed, and the JSON is incomplete.
 */
export const historyResponse = Effect.fnUntraced(function* (
  tenantId: string,
  history: History,
  { next_cursor, pending_draft }: Rest,
  toJson: (message: Message) => Json
) {
  let isFirst = true
  const parts = streamHistory(tenantId, history).pipe(
    Stream.flatMap((messages) => {
      const texts = joined(messagePieces(messages.map(toJson), isFirst))
      isFirst = isFirst && messages.length === 0
      // Each piece yields to the event loop, so that a long history does not block other requests.
      return Stream.mapEffect(Stream.fromIterable(texts), (text) => Effect.as(Effect.yieldNow, text))
    })
  )
  const end = `],"next_cursor":${JSON.stringify(next_cursor)},"pending_draft":${JSON.stringify(pending_draft)}}`
  const body = Stream.make('{"messages":[').pipe(
    Stream.concat(parts),
    Stream.concat(Stream.make(end)),
    Stream.tapError(({ reason }) => log("conversation.incomplete", { tenant: tenantId, reason })),
    Stream.encodeText,
    Stream.provideContext(yield* Effect.context<Stream.Services<typeof parts>>())
  )
  return HttpServerResponse.stream(body, { contentType: "application/json" })
})
