import { Data, Effect } from "effect"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { Envelope } from "../../domain/email/ParsedMail.ts"
import { ingestEmail } from "./IngestEmail.ts"
import { findMailOwner } from "./FindMailOwner.ts"

/** No tenant receives mail for this address. */
export class RecipientUnknown extends Data.TaggedError("RecipientUnknown")<{ readonly email: string }> {}

/** The number of recipients to look up concurrently. Each costs one or two queries. */
const lookUps = 8

/** Returns the id of the tenant that receives mail for an address. The address must be in lower case. */
export const acceptRecipient = Effect.fn("acceptRecipient")(function* (email: string) {
  const owner = yield* findMailOwner(email)
  return owner === null ? yield* new RecipientUnknown({ email }) : owner.tenantId
})

interface Share {
  readonly tenant: Tenant
  readonly recipients: Array<string>
}

/** Groups the recipients by tenant. */
const sharesOf = Effect.fnUntraced(function* (recipients: ReadonlyArray<string>) {
  const owners = yield* Effect.forEach(
    recipients,
    (email) => Effect.map(findMailOwner(email), (tenant) => ({ email, tenant })),
    { concurrency: lookUps }
  )
  const shares = new Map<string, Share>()
  for (const { email, tenant } of owners) {
    if (tenant === null) return yield* new RecipientUnknown({ email })
    const share = shares.get(tenant.tenantId)
    if (share === undefined) shares.set(tenant.tenantId, { tenant, recipients: [email] })
    else share.recipients.push(email)
  }
  return [...shares.values()]
})

/**
 * Receives a mail over SMTP, once for each tenant of its recipients. On success every tenant has stored it. After a
 * failure some may have stored it; the sender retries, and duplicates are recognised.
 */
export const receiveMail = Effect.fn("receiveMail")(function* (envelope: Envelope, raw: Uint8Array) {
  const shares = yield* sharesOf(envelope.recipients)
  // Runs sequentially, because a mail needs several times its size in memory while it is parsed.
  return yield* Effect.forEach(shares, ({ recipients, tenant }) =>
    ingestEmail({
      tenant,
      raw,
      source: "smtp",
      historical: false,
      envelope: { sender: envelope.sender, recipients }
    })
  )
})
