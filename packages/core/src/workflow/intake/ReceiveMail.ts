import { Data, Effect } from "effect"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { Envelope } from "../../domain/email/ParsedMail.ts"
import { ingestEmail } from "./IngestEmail.ts"
import { findMailOwner } from "./FindMailOwner.ts"

/** Nobody here takes mail for this address. */
export class RecipientUnknown extends Data.TaggedError("RecipientUnknown")<{ readonly email: string }> {}

/** Looks recipients up beside each other: each is a question or two to the store. */
const lookUps = 8

/** The id of the tenant that mail for an address, given in lower case, belongs to. */
export const acceptRecipient = Effect.fn("acceptRecipient")(function* (email: string) {
  const owner = yield* findMailOwner(email)
  return owner === null ? yield* new RecipientUnknown({ email }) : owner.tenantId
})

interface Share {
  readonly tenant: Tenant
  readonly recipients: Array<string>
}

/** Who gets the mail, and under which of its addresses. */
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
 * Takes a mail in that a stranger hands over: once for each tenant that its recipients belong to. When this returns all
 * of them have it; when it fails some may, and the sender has to bring it again: copies are recognised.
 */
export const receiveMail = Effect.fn("receiveMail")(function* (envelope: Envelope, raw: Uint8Array) {
  const shares = yield* sharesOf(envelope.recipients)
  // One after the other: a mail is several times its size while it is read.
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
