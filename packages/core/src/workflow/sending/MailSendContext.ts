import { Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { undeliverableAddress } from "../contact/Undeliverable.ts"
import { OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { tombstone } from "../../domain/privacy/Erasure.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { MailSendContext } from "../../domain/consent/MaySend.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"
import { withSpan } from "../WithSpan.ts"

/** An email that a person wants to send. */
export interface MailSendInput {
  readonly tenant: Tenant
  /** All recipients: To, Cc and Bcc. */
  readonly recipients: ReadonlyArray<string>
  readonly override: SendOverride | null
  readonly now: number
  /** The end of the contact's quiet hours, for a scheduled email. Default: quiet hours do not apply. */
  readonly quietUntil?: number | null
}

/** Returns whether the holder of one of these addresses has opted out of messages from the tenant. */
export const hasOptedOut = Effect.fnUntraced(function* (tenantId: string, addresses: ReadonlyArray<string>) {
  const { pepper } = yield* Secrets
  const spellings = addresses.flatMap((address) => [address, tombstone(address, pepper)])
  const optOuts = yield* (yield* OptOuts).of(tenantId, spellings)
  return optOuts.some(({ optedOut }) => optedOut)
})

/**
 * Reads the facts that `maySend` needs for an email from a person. This takes two queries per recipient, and a mail has
 * few recipients.
 */
export const readMailSendContext = Effect.fnUntraced(function* (requested: MailSendInput) {
  const { now, override, recipients, tenant } = requested
  const { hipaa, tenantId } = tenant
  const addresses = [...new Set(requested.recipients.map(normalizeEmail))]
  const reasons = yield* Effect.forEach(addresses, (address) => undeliverableAddress(tenantId, address))
  const undeliverable = addresses.flatMap((address, index) => {
    const reason = reasons[index] ?? null
    return reason === null ? [] : [{ address, reason }]
  })
  return {
    channel: "email",
    by: "person",
    tenantId,
    hipaa,
    now,
    recipients,
    connected: true,
    optedOut: yield* hasOptedOut(tenantId, addresses),
    undeliverable,
    override,
    quietUntil: requested.quietUntil ?? null
  } satisfies MailSendContext
}, withSpan("readMailSendContext"))
