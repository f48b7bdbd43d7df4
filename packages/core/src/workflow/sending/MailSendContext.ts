import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { tombstone } from "../../domain/privacy/Erasure.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { MailSendContext } from "../../domain/consent/MaySend.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"

/** Why nothing can be delivered to an address, also where no more than its hash is left of it; null: nothing is known. */
export const undeliverableAddress = Effect.fnUntraced(function* (tenantId: string, email: string) {
  const contacts = yield* Contacts
  const known = yield* contacts.undeliverable(tenantId, email)
  return known ?? (yield* contacts.undeliverable(tenantId, tombstone(email, (yield* Secrets).pepper)))
})

/** An email that a person sends. */
export interface MailSendInput {
  readonly tenant: Tenant
  /** Everybody it goes to. */
  readonly recipients: ReadonlyArray<string>
  readonly override: SendOverride | null
  readonly now: number
}

/** Everything that `maySend` asks about an email of a person. Reads once per recipient, of whom a mail has few. */
export const readMailSendContext = Effect.fn("readMailSendContext")(function* (requested: MailSendInput) {
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
    override
  } satisfies MailSendContext
})
