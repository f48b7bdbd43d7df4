import { Clock, Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { applyConsentChange } from "../../domain/consent/OptOut.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { TrackingConsents } from "../../port/repository/contact/TrackingConsents.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { trackingConsentOf } from "../link/TrackLinks.ts"
import { withSpan } from "../WithSpan.ts"
import { consentOf } from "./ReadConsent.ts"
import { ConsentProofMissing, type ConsentToRecord, requireIdentity } from "./RecordConsent.ts"

/**
 * Records a consent or an opt-out of a contact for the recording of opened links, for one email address. Later emails to
 * the address contain tracked links or none. Fails like `recordConsent`, and with `IdentityNotReachable` for a number.
 * Returns the consent of all identities.
 */
export const recordTrackingConsent = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  { identityId, optedOut, proof, recordedBy, source }: ConsentToRecord
) {
  yield* (yield* Tenants).get(tenantId)
  if (!optedOut && (proof ?? "").trim() === "") return yield* new ConsentProofMissing()
  const at = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const { contact, identity } = yield* requireIdentity(tenantId, contactId, identityId, ["email"])
      const known = yield* trackingConsentOf(tenantId, identity.value)
      const change = { optedOut, source, at, evidence: { proof: proof ?? "", recordedBy } }
      const after = applyConsentChange(known, change)
      const email = known?.email ?? normalizeEmail(identity.value)
      const evidence = after.evidence ?? null
      if (after !== known) yield* (yield* TrackingConsents).save({ ...after, evidence, tenantId, email })
      const before = known === null ? null : { opted_out: known.optedOut, source: known.source, purpose: "tracking" }
      const recorded = { identity_id: identityId, opted_out: optedOut, source, purpose: "tracking" }
      yield* recordAuditChange({ before, after: recorded })
      return yield* consentOf(contact)
    })
  )
}, withSpan("recordTrackingConsent"))
