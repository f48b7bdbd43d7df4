import type { ContactId, LeadId, MessageId, SignalId } from "../Id.ts"

/** One inbound message on its way through the pipeline. */
export interface Signal {
  readonly signalId: SignalId
  readonly tenantId: string
  readonly messageId: MessageId
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  /** How often somebody has begun to work on it. */
  readonly attempts: number
  /**
   * Starts that have neither ended the signal nor given it back, this one included: more than one means that a server died
   * or hung while it worked on it. Counted before the work begins.
   */
  readonly unfinished: number
  /** It is a suspect: it was put to the back of its tenant's queue after a start that did not finish. */
  readonly suspect: boolean
}

/** The signal of a message: a message has one at most, so its id is the message's under another prefix. */
export const signalIdOf = (messageId: MessageId): SignalId => `sig_${messageId.slice("msg_".length)}`

/** The signal that a client means, by its own id, its message's or the event id under which it came. */
export const signalIdMeant = (id: string): string => id.replace(/^(?:msg|evt)_/u, "sig_")

/** How long a worker may hold a signal before another takes it over. */
export const signalLeaseMillis = 30_000

/** Starts of a signal that may remain unfinished. After that a person reviews the message, and nothing runs it again. */
export const maxUnfinishedStarts = 2

/** Attempts before a signal is set aside as `failed` and a review task is opened. */
export const maxSignalAttempts = 8

/** Wait before the next attempt: 1 s doubling to 10 min at most, so that a broken provider is not hammered. */
export const signalBackoffMillis = (attempts: number): number =>
  Math.min(1_000 * 2 ** Math.max(0, attempts - 1), 600_000)
