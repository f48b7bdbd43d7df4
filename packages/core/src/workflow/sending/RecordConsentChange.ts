import { Clock, Effect } from "effect"
import type { ContactId } from "../../domain/Id.ts"
import {
  applyConsentChange,
  type ConsentChange,
  isContradicted,
  isDeclaredSource,
  type OptOut
} from "../../domain/consent/OptOut.ts"
import type { TextProgress } from "../../domain/conversation/TextEvent.ts"
import type { TextReservation } from "../../domain/sending/Reservation.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { countOptOut } from "../provider/CountSequenceOutcome.ts"
import { recordActivity } from "../contact/RecordActivity.ts"
import { spellingsOf } from "./NumberSendContext.ts"

/** A consent change and its contact. */
export interface ContactConsentChange {
  readonly tenantId: string
  /** Null if the contact no longer exists. */
  readonly contactId: ContactId | null
  /** The contact's number in E.164, or its normalised email address. */
  readonly phone: string
  /** The tenant's number to which the change applies, in E.164. Empty means all numbers of the tenant. */
  readonly ownPhone: string
  readonly consentChange: ConsentChange
}

/**
 * Records an opt-out, or the end of one, with an entry in the timeline. An opt-out also supersedes a pending
 * draft. An existing record keeps the form of its number, or its tombstone. Returns false when nothing has changed.
 * Runs inside a unit of work.
 */
export const recordConsentChange = Effect.fnUntraced(function* ({
  contactId,
  ownPhone,
  phone,
  tenantId,
  consentChange
}: ContactConsentChange) {
  const optOuts = yield* OptOuts
  const all = yield* optOuts.of(tenantId, yield* spellingsOf(phone))
  const known = all.filter((one) => one.ownPhone === ownPhone)
  const targets = known.length === 0 ? [null] : known
  let changed = false
  for (const target of targets) {
    const after = applyConsentChange(target, consentChange, target !== null && isContradicted(target, all))
    if (after === target) continue
    changed = true
    const optOut: OptOut = { tenantId, phone: target?.phone ?? phone, ownPhone, ...after }
    yield* optOuts.save(optOut)
  }
  if (contactId === null) return changed
  if (consentChange.optedOut) yield* (yield* Drafts).supersede(tenantId, contactId)
  if (!changed) return false
  if (consentChange.optedOut && isDeclaredSource(consentChange.source))
    yield* countOptOut(tenantId, contactId, consentChange.at)
  yield* recordActivity({
    tenantId,
    contactId,
    leadId: null,
    type: consentChange.optedOut ? "opted_out" : "opted_in",
    actor: isDeclaredSource(consentChange.source) ? "contact" : "agent",
    at: consentChange.at,
    data: { source: consentChange.source, phone, own_phone: ownPhone === "" ? null : ownPhone }
  })
  return true
})

/**
 * Applies a provider's report about a number after a failed text. Either the contact has opted out at the provider, or
 * the number can never be reached. Runs inside a unit of work.
 */
export const applyNumberReport = Effect.fnUntraced(function* (
  { contactId, tenantId, text }: Pick<TextReservation, "contactId" | "tenantId" | "text">,
  about: TextProgress["about"],
  reason: string
) {
  if (about === null) return
  const at = yield* Clock.currentTimeMillis
  if (about === "unreachable")
    return yield* (yield* Contacts).markUndeliverable(tenantId, text.to, at, reason.slice(0, 200))
  const consentChange = { optedOut: true, source: "provider", at } as const
  yield* recordConsentChange({ tenantId, contactId, phone: text.to, ownPhone: text.from, consentChange })
})
