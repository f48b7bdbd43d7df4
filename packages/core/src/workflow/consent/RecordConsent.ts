import { Clock, Effect } from "effect"
import { allNumbers, isDeclaredByContact, type RecordedSource } from "../../domain/consent/OptOut.ts"
import { IdentityNotFound, IdentityNotReachable } from "../../domain/contact/ContactIdentity.ts"
import { TaggedError } from "../../domain/TaggedError.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { identitiesOfRecord } from "../contact/ReadIdentities.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { recordConsentChange } from "../sending/RecordConsentChange.ts"
import { consentOf, readOptOuts } from "./ReadConsent.ts"
import { withSpan } from "../WithSpan.ts"

/** The contact itself has opted out. Only a manager may record a consent that lifts this opt-out. */
export class OptOutDeclared extends TaggedError("OptOutDeclared")<{ readonly identityId: string }> {}

/** A recorded consent without a proof. */
export class ConsentProofMissing extends TaggedError("ConsentProofMissing")<{}> {}

/** A consent or opt-out that a person records for one identity. */
export interface ConsentToRecord {
  readonly identityId: string
  readonly optedOut: boolean
  readonly source: RecordedSource
  /** Required for a consent. */
  readonly proof: string | null
  /** The name of the principal, from `principalName`. */
  readonly recordedBy: string
  /** True if the person may lift an opt-out that the contact itself declared. */
  readonly isManager: boolean
}

/**
 * Returns a contact and one of its identities. Fails with `IdentityNotFound`, and with `IdentityNotReachable` if the
 * identity is of another kind.
 */
export const requireIdentity = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  identityId: string,
  kinds: ReadonlyArray<string>
) {
  const contact = yield* requireUnmergedContact(tenantId, contactId)
  const identity = (yield* identitiesOfRecord(contact)).find((one) => one.identityId === identityId)?.identity
  if (identity === undefined) return yield* new IdentityNotFound({ identityId })
  return kinds.includes(identity.kind) ? { contact, identity } : yield* new IdentityNotReachable({ identityId })
})

/**
 * Records a consent or an opt-out of a contact for one identity and all numbers and addresses of the tenant. The
 * earlier state moves into the history. Returns the consent of all identities.
 */
export const recordConsent = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  { identityId, isManager, optedOut, proof, recordedBy, source }: ConsentToRecord
) {
  yield* (yield* Tenants).get(tenantId)
  if (!optedOut && (proof ?? "").trim() === "") return yield* new ConsentProofMissing()
  const at = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const { contact, identity } = yield* requireIdentity(tenantId, contactId, identityId, ["email", "phone"])
      const known = yield* readOptOuts(tenantId, identity)
      if (!optedOut && !isManager && isDeclaredByContact(known)) return yield* new OptOutDeclared({ identityId })
      const evidence = { proof: proof ?? "", recordedBy }
      const consentChange = { optedOut, source, at, evidence }
      const target = { tenantId, contactId: contact.contactId, phone: identity.value, consentChange }
      // A consent also ends the opt-outs from single numbers of the tenant, so that no record contradicts it.
      const lifted = optedOut ? [] : known.filter((one) => one.optedOut).map(({ ownPhone }) => ownPhone)
      for (const ownPhone of new Set([allNumbers, ...lifted])) yield* recordConsentChange({ ...target, ownPhone })
      const before = known.length === 0 ? null : known.map((one) => ({ opted_out: one.optedOut, source: one.source }))
      yield* recordAuditChange({ before, after: { identity_id: identityId, opted_out: optedOut, source } })
      return yield* consentOf(contact)
    })
  )
}, withSpan("recordConsent"))
