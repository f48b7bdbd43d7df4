import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { Grant } from "../../domain/email/Grant.ts"
import { type Clearance, demandClearance } from "../../domain/consent/Clearance.ts"
import { type OutgoingMail, recipientsOf } from "../../domain/email/OutgoingMail.ts"

/** One mail and the account it leaves from. */
export interface Outgoing {
  readonly grant: Grant
  readonly mail: OutgoingMail
}

/** What the next station said when it took a mail. */
export interface TransportReceipt {
  /** False: nothing left this machine, because nothing is configured to send with. */
  readonly left: boolean
  /** Its own words. */
  readonly response: string
  /** Recipients it refused while it took the mail for others. */
  readonly refused: ReadonlyArray<string>
  /** What a provider calls the mail; null where nobody gives it another name than we did. */
  readonly assigned: AssignedIds | null
}

/** The names that a provider gave to a mail of ours. */
export interface AssignedIds {
  /** The Message-ID it went out under, without angle brackets; null when it is not said. */
  readonly internetMessageId: string | null
  readonly providerMessageId: string
  readonly providerThreadId: string | null
}

/** Refused for good: the same mail will be refused again. */
export class TransportRefused extends Data.TaggedError("TransportRefused")<{ readonly reason: string }> {}

/** Certainly not handed over, and may be tried again. */
export class TransportUnavailable extends Data.TaggedError("TransportUnavailable")<{ readonly reason: string }> {}

/** Certainly not handed over: the owner of the account has to sign in again first. */
export class TransportSignedOut extends Data.TaggedError("TransportSignedOut")<{ readonly reason: string }> {}

/** The connection was lost after the mail went and before the answer came: it may have been taken. */
export class OutcomeUnknown extends Data.TaggedError("OutcomeUnknown")<{ readonly reason: string }> {}

export type TransportFailure = TransportRefused | TransportUnavailable | TransportSignedOut | OutcomeUnknown

/** What every adapter asks before a mail leaves. */
export const demandMailClearance = ({ grant, mail }: Outgoing, clearance: Clearance): Effect.Effect<void> =>
  demandClearance(clearance, { tenantId: grant.tenantId, channel: "email", recipients: recipientsOf(mail) })

/** Carries mail away. */
export class EmailTransport extends Context.Service<
  EmailTransport,
  {
    /**
     * Hands one mail over, once and to those that its clearance covers: it never tries again by itself. Comes back within `handOverMillis`, also when the other
     * side says nothing. An interruption after the mail went leaves the outcome unknown to everybody.
     */
    readonly send: (outgoing: Outgoing, clearance: Clearance) => Effect.Effect<TransportReceipt, TransportFailure>
  }
>()("core/port/provider/EmailTransport") {}
