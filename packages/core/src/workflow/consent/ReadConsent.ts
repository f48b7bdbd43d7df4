/**
 * The consent of contacts to messages and calls, as people read and record it. The decision about one message belongs
 * to `domain/consent`, and STOP and START to `workflow/sms`. Tests: `packages/server/test/http/contact/Consent.test.ts`,
 * `packages/core/test/domain/consent`.
 */
import { Effect } from "effect"
import { allNumbers, isDeclaredByContact, isOptedOut, type OptOut } from "../../domain/consent/OptOut.ts"
import type { TrackingConsent } from "../../domain/consent/TrackingConsent.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { tombstone } from "../../domain/privacy/Erasure.ts"
import { OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { type ContactIdentity, identitiesOfRecord } from "../contact/ReadIdentities.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { spellingsOf } from "../sending/NumberSendContext.ts"
import { trackingConsentOf } from "../link/TrackLinks.ts"
import { withSpan } from "../WithSpan.ts"

/** The consent of one identity of a contact. */
export interface IdentityConsent {
  readonly identity: ContactIdentity
  /** `unknown` if no change was ever recorded. */
  readonly status: "opted_in" | "opted_out" | "unknown"
  /** True if only a manager may record a consent that lifts the opt-out, because the contact itself declared it. */
  readonly needsManager: boolean
  /** The recorded consents: one for all numbers and addresses of the tenant, and one per number of the tenant. */
  readonly records: ReadonlyArray<OptOut>
  /** The consent to the recording of opened links; null if none was recorded, and for numbers. */
  readonly tracking: TrackingConsent | null
}

/** Returns the recorded consents of an address or number, in all its forms. */
export const readOptOuts = Effect.fnUntraced(function* (
  tenantId: string,
  { kind, value }: ContactIdentity["identity"]
) {
  const { pepper } = yield* Secrets
  const spellings = kind === "phone" ? yield* spellingsOf(value) : [value, tombstone(value, pepper)]
  return yield* (yield* OptOuts).of(tenantId, spellings)
})

/** Returns the status that applies to messages from any number: an opt-out from one number counts as an opt-out. */
const statusOf = (records: ReadonlyArray<OptOut>): IdentityConsent["status"] => {
  if (records.length === 0) return "unknown"
  const scopes = [allNumbers, ...records.map(({ ownPhone }) => ownPhone)]
  return scopes.some((ownPhone) => isOptedOut(records, ownPhone)) ? "opted_out" : "opted_in"
}

/** Returns the consent of each email address and phone number of a contact. */
export const consentOf = Effect.fnUntraced(function* (contact: Contact) {
  const identities = yield* identitiesOfRecord(contact)
  const reachable = identities.filter(({ identity }) => identity.kind !== "external")
  return yield* Effect.forEach(
    reachable,
    Effect.fnUntraced(function* (identity) {
      const { kind, value } = identity.identity
      const records = yield* readOptOuts(contact.tenantId, identity.identity)
      const tracking = kind === "email" ? yield* trackingConsentOf(contact.tenantId, value) : null
      const [status, needsManager] = [statusOf(records), isDeclaredByContact(records)]
      return { identity, status, needsManager, records, tracking } satisfies IdentityConsent as IdentityConsent
    })
  )
})

/** Returns the consent of a contact by its id. */
export const readConsent = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  yield* (yield* Tenants).get(tenantId)
  return yield* consentOf(yield* requireUnmergedContact(tenantId, contactId))
}, withSpan("readConsent"))
