import { Clock, Effect } from "effect"
import { allNumbers } from "../../domain/consent/OptOut.ts"
import { maxUnsubscribeToken, readClaim, unsubscribePlace } from "../../domain/consent/UnsubscribeLink.ts"
import { TaggedError } from "../../domain/TaggedError.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { Vault } from "../../port/system/Vault.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { recordConsentChange } from "../sending/RecordConsentChange.ts"
import { withSpan } from "../WithSpan.ts"

/** The link is modified, from another deployment, or of an archived tenant. */
export class UnsubscribeLinkInvalid extends TaggedError("UnsubscribeLinkInvalid")<{}> {}

const invalid = () => new UnsubscribeLinkInvalid()

/** Reads the token of a link, and its tenant. */
export const readUnsubscribeLink = Effect.fnUntraced(function* (token: string) {
  if (token.length > maxUnsubscribeToken) return yield* invalid()
  const text = yield* Effect.mapError((yield* Vault).open(token, unsubscribePlace), invalid)
  const claim = readClaim(text)
  if (claim === null) return yield* invalid()
  const tenant = yield* (yield* Tenants).get(claim.tenantId).pipe(Effect.catchTag("TenantNotFound", invalid))
  return { claim, tenant }
}, withSpan("readUnsubscribeLink"))

/**
 * Opts the address of a link out of all emails of the tenant. Repetitions have no effect. The opt-out is recorded even
 * if the contact no longer exists, because the address can belong to a new contact.
 */
export const unsubscribe = Effect.fnUntraced(function* (token: string) {
  const { claim, tenant } = yield* readUnsubscribeLink(token)
  const { contactId, email, tenantId } = claim
  const at = yield* Clock.currentTimeMillis
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const contact = yield* resolveMergedContact(tenantId, contactId)
      const consentChange = { optedOut: true, source: "unsubscribe", at } as const
      const target = { contactId: contact?.contactId ?? null, phone: email, ownPhone: allNumbers }
      yield* recordConsentChange({ tenantId, ...target, consentChange })
    })
  )
  return tenant
}, withSpan("unsubscribe"))
