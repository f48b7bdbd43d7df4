import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { tombstone } from "../../domain/privacy/Erasure.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { MailSendContext } from "../../domain/consent/MaySend.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Returns the reason why an address is undeliverable. Returns null when no reason is known. The record of an address is
 * also found after an erasure, by its tombstone.
 */
export const undeliverableAddress = Effect.fnUntraced(function* (tenantId: string, email: string) {
  const contacts = yield* Contacts
  const known = yield* contacts.undeliverable(tenantId, email)
  return known ?? (yield* contacts.undeliverable(tenantId, tombstone(email, (yield* Secrets).pepper)))
})

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

/**
 * Reads the facts that `maySend` needs for an email from a person. This takes one query per recipient, and a mail has
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
    undeliverable,
    override,
    quietUntil: requested.quietUntil ?? null
  } satisfies MailSendContext
}, withSpan("readMailSendContext"))
