import { type DraftToSend, isLeadloomError, type MessageSent } from "@leadloom/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { noticeSendFailure } from "../app/SendFailure.tsx"
import { noticeFailure, noticeSuccess, noticeUndo } from "../component/Notices.tsx"
import { longTime } from "../design/Time.ts"
import { cachedRow, refreshConversation } from "../inbox/Cache.ts"
import { useChange } from "../inbox/Change.ts"
import { wayBack } from "../inbox/WayBack.ts"
import { composerText } from "../text/Composer.ts"
import { type DraftContent, joined, type WritingChannel } from "./DraftContent.ts"
import { currentKeeper, type DraftKeeper } from "./DraftKeeper.ts"
import { keepSent } from "./Failed.ts"
import { UnseenAnswer, useUnseenCheck } from "./Unseen.ts"

/** The time in which a sent message can be taken back, in seconds. */
const undoSeconds = 10

/** The chosen time of a message. */
export type Timing = Pick<DraftToSend, "cancel_on_reply" | "send_at" | "time_zone">

interface Draft {
  readonly contactId: string
  readonly channel: WritingChannel
  readonly keeper: DraftKeeper
  readonly isWriting: boolean
}

/** Returns the function that cancels a message and puts its content back into the composer. */
const useUndo = ({ channel, contactId, keeper }: Draft) => {
  const queries = useQueryClient()
  const connection = useConnection()
  return async ({ message_id }: MessageSent, content: DraftContent, reopen: () => void): Promise<void> => {
    try {
      await connection.client.scheduled.cancel(connection.tenantId, message_id)
    } catch (error) {
      noticeFailure(
        isLeadloomError(error, "CONFLICT") ? composerText.tooLate : composerText.notUndone(problemText(error))
      )
      return
    }
    reopen()
    const current = currentKeeper(connection, { contactId, channel }) ?? keeper
    current.write(joined(content, current.read().content))
    noticeSuccess(composerText.undone)
    await current.flush().catch(() => undefined)
    await refreshConversation(queries, connection, contactId).catch(() => undefined)
  }
}

/** Returns the function that closes the conversation, and returns the one that restores its state. */
const useClose = (contactId: string) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const change = useChange(contactId)
  return (): (() => void) => {
    const former = cachedRow(queries, connection, contactId)
    const closing = { state: "closed" } as const
    change(closing)
    return () => (former === null ? undefined : change(wayBack(former, closing)))
  }
}

/** A request to send the draft. `closes`: the conversation is closed with it. */
interface SendRequest {
  readonly timing: Timing | null
  readonly closes?: boolean
}

const nothing = (): void => undefined

/** Returns the function that sends a draft: with an undo window, or at a chosen time. */
export const useSend = (draft: Draft) => {
  const { contactId, isWriting, keeper } = draft
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const checkUnseen = useUnseenCheck(contactId, isWriting)
  const undo = useUndo(draft)
  const close = useClose(contactId)
  const sending = useMutation({
    mutationFn: async ({ timing }: SendRequest) => {
      await checkUnseen()
      const { content } = keeper.read()
      const stored = await keeper.flush()
      if (stored === null) return null
      const time = timing ?? { undo_seconds: undoSeconds }
      const request = { version: stored.version, ...time }
      return { content, sent: await client.drafts.send(tenantId, contactId, stored.draft_id, request) }
    },
    onSuccess: async (result, { closes = false, timing }) => {
      if (result === null) return
      const { content, sent } = result
      keeper.clear()
      const reopen = closes ? close() : nothing
      keepSent(sent.message_id, { ...draft, content, reopen })
      if (timing === null) noticeUndo(composerText.sent, undoSeconds, () => void undo(sent, content, reopen))
      else noticeSuccess(composerText.schedule.done(longTime(sent.send_at ?? "")))
      await refreshConversation(queries, connection, contactId)
    },
    onError: (error) =>
      error instanceof UnseenAnswer
        ? noticeFailure(composerText.unseen)
        : noticeSendFailure(connection, error, composerText.failed)
  })
  return { isSending: sending.isPending, send: sending.mutate }
}
