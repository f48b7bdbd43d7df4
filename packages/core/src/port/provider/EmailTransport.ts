/**
 * Ports to external providers: mail, SMS, voice, payments, CRM, language models, identity and form verification. An
 * adapter translates requests, responses and errors. Business rules and retries belong to `domain` and `workflow`.
 * Tests: `packages/connectors/test`, `packages/testkit/src/suite`.
 */
import type { Effect } from "effect"
import { Context } from "effect"
import type { Grant } from "../../domain/email/Grant.ts"
import { type Clearance, demandClearance } from "../../domain/consent/Clearance.ts"
import { type OutgoingMail, recipientsOf } from "../../domain/email/OutgoingMail.ts"
import type { ProviderFailure } from "../../domain/provider/ProviderFailure.ts"

/** One mail and the connected account that sends it. */
export interface Outgoing {
  readonly grant: Grant
  readonly mail: OutgoingMail
  /** The contents of the mail's attachments, in their order. Absent if the mail has none. */
  readonly files?: ReadonlyArray<Uint8Array>
}

/** The response of the next mail server when it accepts a mail. */
export interface TransportReceipt {
  /** False when the mail did not leave this server, because no transport is configured. */
  readonly left: boolean
  /** The verbatim response of the next server. */
  readonly response: string
  /** Recipients that the next server rejected while it accepted the mail for others. */
  readonly refused: ReadonlyArray<string>
  /** The provider's ids of the mail. Null when the provider assigns none. */
  readonly assigned: AssignedIds | null
}

/** The ids that a provider assigned to an outbound mail. */
export interface AssignedIds {
  /** The Message-ID of the mail as it was sent, without angle brackets. Null when the provider does not report it. */
  readonly internetMessageId: string | null
  readonly providerMessageId: string
  readonly providerThreadId: string | null
}

/**
 * Dies unless the clearance covers the tenant and all recipients of the mail. Every adapter calls this function before
 * it sends.
 */
export const demandMailClearance = (
  { grant, mail }: Pick<Outgoing, "grant" | "mail">,
  clearance: Clearance
): Effect.Effect<void> =>
  demandClearance(clearance, { tenantId: grant.tenantId, channel: "email", recipients: recipientsOf(mail) })

/** Hands mail over to the mail server or provider of an account. */
export class EmailTransport extends Context.Service<
  EmailTransport,
  {
    /**
     * Hands over one mail, once, to the recipients that the clearance covers. Never retries. Returns within
     * `handOverMillis`, even when the other server does not respond. If the transmission is interrupted, the outcome is
     * unknown.
     */
    readonly send: (outgoing: Outgoing, clearance: Clearance) => Effect.Effect<TransportReceipt, ProviderFailure>
  }
>()("core/port/provider/EmailTransport") {}
