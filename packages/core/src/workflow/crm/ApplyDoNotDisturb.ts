import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { phoneOf, spellingsOf } from "../sending/NumberSendContext.ts"
import { allNumbers, type OptOut } from "../../domain/consent/OptOut.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { recordConsentChange } from "../sending/RecordConsentChange.ts"
import type { CrmLink, ReportedFields } from "../../domain/crm/CrmContact.ts"

/** The CRM's current do-not-disturb setting of a contact, and the last known one (`link`). */
export interface DoNotDisturb {
  readonly contact: Contact
  readonly link: CrmLink
  readonly remote: ReportedFields
  readonly defaultCountry: string
}

const isOfCrm = ({ history, source }: OptOut): boolean =>
  source === "crm" || history.some((consentChange) => consentChange.source === "crm")

/** Returns the opt-outs of a number, and those of them that apply to all numbers of the tenant. */
const readOptOuts = Effect.fnUntraced(function* (tenantId: string, phone: string) {
  const optOuts = yield* (yield* OptOuts).of(tenantId, yield* spellingsOf(phone))
  return { optOuts, general: optOuts.filter(({ ownPhone }) => ownPhone === allNumbers) }
})

/** Returns whether another CRM contact of the same person still has the do-not-disturb setting. */
const isSaidElsewhere = Effect.fnUntraced(function* (link: CrmLink) {
  const links = yield* (yield* CrmLinks).ofContact(link.tenantId, link.contactId)
  return links.some(
    ({ crmContactId, goneAt, locationId, theirs }) =>
      goneAt === null &&
      theirs.smsOptOut === true &&
      (crmContactId !== link.crmContactId || locationId !== link.locationId)
  )
})

/**
 * Applies the CRM's do-not-disturb setting as an opt-out from texts. When the CRM sets it, every known number of the
 * person is opted out. When the CRM removes it, this opt-out ends, unless another source has also opted the person out.
 * A later consent change by the person is kept. Returns the setting to store in the link. Runs inside a unit of work.
 */
export const applyDoNotDisturb = Effect.fnUntraced(function* ({ contact, defaultCountry, link, remote }: DoNotDisturb) {
  const { contactId, tenantId } = contact
  const [said, says] = [link.theirs.smsOptOut === true, remote.smsOptOut === true]
  if (!said && !says) return false
  const theirs = remote.phone === null ? null : parsePhoneMemoized(remote.phone, defaultCountry)
  const known = [theirs, yield* phoneOf(contact, defaultCountry)].filter((phone) => phone !== null)
  const at = yield* Clock.currentTimeMillis
  const elsewhere = says ? false : yield* isSaidElsewhere(link)
  let remains = says ? known.length > 0 : elsewhere
  for (const phone of new Set(known)) {
    const { general, optOuts } = yield* readOptOuts(tenantId, phone)
    const change = { tenantId, contactId, phone, ownPhone: allNumbers }
    if (says) {
      // A setting that has not changed is not applied again. Otherwise every change of the contact would opt out a
      // person who has opted in again since.
      if (!said || !general.some(isOfCrm))
        yield* recordConsentChange({ ...change, consentChange: { optedOut: true, source: "crm", at } })
      continue
    }
    const isOurs = general.some(({ optedOut, source }) => optedOut && source === "crm")
    const byOthers = optOuts.some(({ optedOut, source }) => optedOut && source !== "crm")
    if (isOurs && byOthers) remains = true
    if (isOurs && !byOthers && !elsewhere)
      yield* recordConsentChange({ ...change, consentChange: { optedOut: false, source: "crm", at } })
  }
  return remains
})
