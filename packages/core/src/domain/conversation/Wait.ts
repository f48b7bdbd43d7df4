import type { MessageId } from "../Id.ts"

/** The wait of a message that the server processes or sends later. */
export interface Wait {
  readonly messageId: MessageId
  /** The time of the next attempt, in epoch milliseconds. */
  readonly until: number
  /** The reason, for people. */
  readonly reason: string
}

/** The reason of a signal that waits since its message arrived. */
export const moreMessages = "more messages of the contact may follow (reply_wait_seconds of the configuration)"

/** The reason of a signal whose model was unavailable. The failure is in the log of the server. */
export const modelSilent = "the language model did not answer"

/** The reason of a signal whose run failed. The cause is in the log of the server. */
export const runFailed = "the last attempt failed; the server tries again"

/**
 * Returns the reason of a waiting signal for people. Earlier versions stored the error itself. It is not shown, because
 * it can contain stack traces and the host of the language model.
 */
export const processingReason = (stored: string | null): string => {
  if (stored === null) return moreMessages
  return stored.startsWith(modelSilent) ? modelSilent : runFailed
}
