import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { guardEnd } from "../../domain/sequence/PlanStep.ts"
import { quietUntil, zonesOf } from "../../domain/time/QuietHours.ts"
import { phoneOf } from "./NumberSendContext.ts"

/** Returns the time zones that determine the quiet hours of a contact. The first one is the contact's own zone. */
export const contactZones = Effect.fnUntraced(function* ({ config }: Tenant, contact: Contact) {
  const phone = yield* phoneOf(contact, config.defaultCountry)
  return zonesOf(contact.attributes, phone ?? "", config.timeZone)
})

/** Returns the end of the quiet hours in the tenant's guardrails at a time; null if the time is outside of them. */
export const guardQuietEnd = ({ config: { guardrails, timeZone } }: Tenant, at: number): number | null =>
  guardEnd({ guardrails, tenantZone: timeZone }, at)

/** Returns the end of the contact's quiet hours at a time; null if the time is outside of them. */
export const quietEnd = (tenant: Tenant, contact: Contact, at: number) =>
  Effect.map(contactZones(tenant, contact), (zones) => quietUntil(zones, at))
