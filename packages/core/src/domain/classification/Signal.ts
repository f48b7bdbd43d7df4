import { Schema } from "effect"
import { ContactId, LeadId, MessageId, SignalId } from "../Id.ts"

/** One inbound message on its way through the pipeline. */
export class Signal extends Schema.Opaque<Signal>()(
  Schema.Struct({
    signalId: SignalId,
    tenantId: Schema.String,
    messageId: MessageId,
    contactId: ContactId,
    leadId: Schema.NullOr(LeadId),
    /** The number of started attempts. */
    attempts: Schema.Int,
    /**
     * The number of started attempts that neither finished nor released the signal, including the current attempt. An
     * attempt is counted before its work starts. A value above one means that a server stopped or hung during an
     * earlier attempt.
     */
    unfinished: Schema.Int,
    /** True if the signal was moved to the back of its tenant's queue after an unfinished attempt. */
    suspect: Schema.Boolean
  })
) {}

/** Returns the signal id of a message: the message id with another prefix. A message has at most one signal. */
export const signalIdOf = (messageId: MessageId): SignalId => `sig_${messageId.slice("msg_".length)}`

/** Returns the signal id that a client's id stands for: a signal id, a message id or an event id. */
export const signalIdMeant = (id: string): string => id.replace(/^(?:msg|evt)_/u, "sig_")

/** The lease of a signal. After it expires, another worker may claim the signal. */
export const signalLeaseMillis = 30_000

/**
 * The limit of unfinished attempts. When it is reached, the signal is not run again, and a person reviews the message.
 */
export const maxUnfinishedStarts = 2

/** The limit of attempts. When it is reached, the signal becomes `failed`, and a review task is created. */
export const maxSignalAttempts = 8

/**
 * Returns the delay before the next attempt, in milliseconds. It starts at 1 s and doubles up to 10 min, to protect a
 * failing provider.
 */
export const signalBackoffMillis = (attempts: number): number =>
  Math.min(1_000 * 2 ** Math.max(0, attempts - 1), 600_000)
