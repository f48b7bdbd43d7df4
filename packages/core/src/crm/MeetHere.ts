import { Clock, Effect } from "effect"
import { contactEvent } from "../contact/ContactEvent.ts"
import { identitiesOf } from "../contact/Identity.ts"
import { livesOn } from "../contact/LiveContact.ts"
import { parsePhoneOnce } from "../contact/PhoneMemo.ts"
import { resolveContact } from "../contact/ResolveContact.ts"
import { Crm } from "../port/Crm.ts"
import { CrmLinks } from "../port/CrmLinks.ts"
import { Events } from "../port/Events.ts"
import { Ids } from "../port/Ids.ts"
import { Transactions } from "../port/Transactions.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { type CrmContact, noFields } from "./CrmContact.ts"
import { askForSync } from "./FeedCrm.ts"
import { newLink } from "./MeetInCrm.ts"
import { withAccess } from "./WithAccess.ts"

/** Finds or makes our contact for one of the CRM's, and links the two. Runs inside a unit of work. */
const meet = Effect.fnUntraced(function* (tenant: Tenant, found: CrmContact) {
  const { config, tenantId } = tenant
  const links = yield* CrmLinks
  const now = yield* Clock.currentTimeMillis
  const there = yield* links.ofCrm(tenantId, found.locationId, found.crmContactId)
  const owner = there === null ? null : yield* livesOn(tenantId, there.contactId)
  if (owner !== null) return yield* askForSync({ tenantId, locationId: found.locationId }, owner.contactId)
  const { company, email, name, phone } = found
  const { identities } = identitiesOf({ email, phone }, config.defaultCountry, parsePhoneOnce)
  // Nobody could be told apart who has neither.
  if (identities.length === 0) return
  const valueOf = (kind: string) => identities.find((identity) => identity.kind === kind)?.value ?? null
  const profile = { name, company, email: valueOf("email"), phone: valueOf("phone") }
  const { change, contact } = yield* resolveContact(tenantId, identities, profile, now)
  const link = newLink(contact, found, { ours: noFields, theirs: noFields }, now)
  if (there === null) yield* links.insert(link)
  else yield* links.replace(link, there.version)
  if (change !== "none") {
    const event = contactEvent(`contact.${change}`, contact, yield* (yield* Ids).next("evt"), now)
    yield* (yield* Events).append(tenantId, [event])
  }
  yield* askForSync({ tenantId, locationId: found.locationId }, contact.contactId)
})

/**
 * Finds out which of our contacts one of the CRM's is: by its link, else by address and number; a person we do not know
 * becomes a contact. What both say is brought together after that.
 */
export const meetHere = Effect.fn("meetHere")(function* (tenant: Tenant, locationId: string, crmContactId: string) {
  const crm = yield* Crm
  const found = yield* withAccess(tenant.tenantId, locationId, (access) => crm.contact(access, crmContactId)).pipe(
    Effect.catchTag("CrmGone", () => Effect.succeed(null))
  )
  if (found !== null) yield* (yield* Transactions).atomically(tenant.tenantId, meet(tenant, found))
})
