import { Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { SmtpClient } from "../../domain/email/authentication/VerifiedMail.ts"
import { domainsOf, nearestOwners } from "../../domain/email/Mailbox.ts"
import type { Envelope } from "../../domain/email/ParsedMail.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { MailVerifier } from "../../port/provider/MailVerifier.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { ingestEmail } from "./IngestEmail.ts"
import { withSpan } from "../WithSpan.ts"

/** No tenant receives mail for this address. */
export class RecipientUnknown extends TaggedError("RecipientUnknown")<{ readonly email: string }> {}

/**
 * Returns the tenant that receives mail for an address, or null. It is the tenant with the nearest domain of the
 * address; without one, it is the tenant that has connected the address. Archived tenants and HIPAA tenants receive no
 * mail. In an older database, two tenants may have the same domain. Then the tenant that has connected the address
 * receives the mail; if neither has, the older one does.
 */
export const findMailOwner = Effect.fnUntraced(function* (email: string) {
  const tenants = yield* Tenants
  const [onDomains, holder] = yield* Effect.all([
    tenants.ofDomains(domainsOf(email)),
    Effect.flatMap(Grants, (grants) => grants.holder(email))
  ])
  const [first = null, ...others] = nearestOwners(email, onDomains)
  const connected = [first, ...others].find((tenant) => tenant !== null && tenant.tenantId === holder)
  const owner =
    first === null && holder !== null
      ? yield* tenants.get(holder).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
      : (connected ?? first)
  return owner === null || owner.hipaa ? null : owner
})

/** The number of recipients that are looked up concurrently. Each look-up takes one or two queries. */
const lookUps = 8

/** Returns the id of the tenant that receives mail for an address. The address must be in lower case. */
export const acceptRecipient = Effect.fnUntraced(function* (email: string) {
  const owner = yield* findMailOwner(email)
  return owner === null ? yield* new RecipientUnknown({ email }) : owner.tenantId
}, withSpan("acceptRecipient"))

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
 * Receives a mail over SMTP, once for each tenant of its recipients. If it succeeds, every tenant has stored the mail.
 * If it fails, some tenants may have stored it. The sender then retries, and these tenants recognise the duplicate.
 */
export const receiveMail = Effect.fnUntraced(function* (envelope: Envelope, raw: Uint8Array, client: SmtpClient) {
  const shares = yield* sharesOf(envelope.recipients)
  const verification = yield* (yield* MailVerifier).verify(raw, { sender: envelope.sender, client })
  // Runs sequentially, because parsing a mail needs several times its size in memory.
  return yield* Effect.forEach(shares, ({ recipients, tenant }) =>
    ingestEmail({
      tenant,
      raw,
      source: "smtp",
      historical: false,
      envelope: { sender: envelope.sender, recipients },
      verification
    })
  )
}, withSpan("receiveMail"))
