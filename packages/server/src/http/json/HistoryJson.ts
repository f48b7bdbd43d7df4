import type * as Wire from "@leadloom/api/workspace/Conversations"
import { type History, streamHistory } from "@leadloom/core/workflow/conversation/ReadConversation"
import type { Message } from "@leadloom/core/domain/conversation/Message"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"

type Json = Readonly<Record<string, unknown>>

/** Characters of a text that are encoded at once. */
const maxSlice = 2 ** 18

/** A text as JSON, in slices. A pair of surrogates that a slice cuts in two is escaped, and reads as the pair it was. */
function* textPieces(text: string): Generator<string> {
  yield '"'
  for (let at = 0; at < text.length; at += maxSlice) yield JSON.stringify(text.slice(at, at + maxSlice)).slice(1, -1)
  yield '"'
}

/** An object as JSON. A long text of it comes in slices, so that encoding one takes no longer than encoding many. */
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

/** What is answered beside the messages. */
type Rest = Pick<typeof Wire.MessagePage.Type, "next_cursor" | "pending_draft">

/** The pieces of JSON of some messages, with the comma before each but the first of all. */
function* messagePieces(messages: ReadonlyArray<Json>, isFirst: boolean): Generator<string> {
  for (const [index, message] of messages.entries()) {
    if (!isFirst || index > 0) yield ","
    yield* objectPieces(message)
  }
}

/** Short pieces together: one write for each would cost more than what is written. */
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
 * Answers with a history as it is read: what is held of it at a time is one piece, however long it is, and however slowly
 * its reader takes it. What breaks it off cuts the connection, and the JSON is not complete.
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
      // Each part is a turn of its own on the event loop.
      return Stream.mapEffect(Stream.fromIterable(texts), (text) => Effect.as(Effect.yieldNow, text))
    })
  )
  const end = `],"next_cursor":${JSON.stringify(next_cursor)},"pending_draft":${JSON.stringify(pending_draft)}}`
  const body = Stream.make('{"messages":[').pipe(
    Stream.concat(parts),
    Stream.concat(Stream.make(end)),
    Stream.tapError(({ reason }) => Effect.logError("a history was broken off", { tenantId, reason })),
    Stream.encodeText,
    Stream.provideContext(yield* Effect.context<Stream.Services<typeof parts>>())
  )
  return HttpServerResponse.stream(body, { contentType: "application/json" })
})
