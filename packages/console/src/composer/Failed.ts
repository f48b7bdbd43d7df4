import type { EventEnvelope } from "@leadloom/client"
import { handleEvents } from "../app/Live.ts"
import { noticeFailure } from "../component/Notices.tsx"
import { composerText } from "../text/Composer.ts"
import { type DraftContent, joined, type WritingChannel } from "./DraftContent.ts"
import { currentKeeper, type DraftKeeper } from "./DraftKeeper.ts"

/** A message that this tab has sent or scheduled. */
interface SentMessage {
  readonly contactId: string
  readonly channel: WritingChannel
  readonly content: DraftContent
  readonly keeper: DraftKeeper
  /** Restores the state of a conversation that was closed with the message. */
  readonly reopen: () => void
}

/** The content of more messages than this is not kept. */
const maxKept = 50

const kept = new Map<string, SentMessage>()

/** Keeps the content of a message, so that it returns to the composer if the server cannot send it. */
export const keepSent = (messageId: string, message: SentMessage): void => {
  kept.set(messageId, message)
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
}

/** Returns the id and the reason of a message that could not be sent at its time; null for another event. */
const failureOf = ({ data, event_type: type }: EventEnvelope): { id: string; reason: string } | null =>
  type !== "scheduled_message.failed" || !("message_id" in data) || typeof data.message_id !== "string"
    ? null
    : { id: data.message_id, reason: "reason" in data && typeof data.reason === "string" ? data.reason : "" }

handleEvents((_, connection, event) => {
  const failure = failureOf(event)
  const message = failure === null ? undefined : kept.get(failure.id)
  if (failure === null || message === undefined) return
  kept.delete(failure.id)
  const keeper = currentKeeper(connection, message) ?? message.keeper
  keeper.write(joined(message.content, keeper.read().content))
  message.reopen()
  noticeFailure(composerText.failedLater(failure.reason))
})
