import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { identitiesOf, type Identity, lookupIdentities } from "../../domain/contact/Identity.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { profileOf, resolveSender, type SenderProfile } from "../../domain/contact/Resolve.ts"
import { resolveContact } from "./ResolveContact.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { argument, type AssistantCall, type ToolCall } from "../../domain/assistant/ToolCall.ts"

/** Returns the caller's number in E.164. Returns null when the network hides it. */
export const callerNumber = ({ config }: Tenant, { number }: AssistantCall): string | null =>
  number === null ? null : parsePhoneMemoized(number, config.defaultCountry)

/** The identities and the profile of a caller. */
export interface Caller {
  readonly identities: ReadonlyArray<Identity>
  readonly profile: SenderProfile
}

/** Returns the contact that has a number, or null. */
export const findContactByNumber = Effect.fnUntraced(function* (tenantId: string, number: string) {
  const requested = lookupIdentities([{ kind: "phone", value: number }])
  return resolveSender<Contact>(
    [{ kind: "phone", value: number }],
    yield* (yield* Contacts).holders(tenantId, requested)
  ).use
})

/**
 * Returns the identities of a caller. The number of the telephone line is always one of them. An email address that the
 * caller says is used only if no other contact has it, because a caller could say another person's address. Runs inside
 * a unit of work.
 */
export const identifyCaller = Effect.fnUntraced(function* (
  tenant: Tenant,
  call: AssistantCall,
  args: ToolCall["args"]
) {
  const { config, tenantId } = tenant
  const number = callerNumber(tenant, call)
  const spoken = { email: argument(args, "email"), phone: argument(args, "phone", "phone_number", "number") }
  const claims = { email: spoken.email, phone: number ?? spoken.phone }
  const { identities } = identitiesOf(claims, config.defaultCountry, parsePhoneMemoized)
  const holders = yield* (yield* Contacts).holders(tenantId, lookupIdentities(identities))
  const byNumber = holders.filter(({ identity }) => identity.kind === "phone")
  const trusted = identities.filter(
    ({ kind, value }) =>
      kind !== "email" ||
      holders.every(
        ({ contact, identity }) =>
          identity.kind !== "email" ||
          identity.value !== value ||
          byNumber.some((holder) => holder.contact.contactId === contact.contactId)
      )
  )
  const profile = profileOf(trusted, {
    name: argument(args, "name", "full_name", "caller_name")?.slice(0, 200) ?? null,
    company: argument(args, "company")?.slice(0, 200) ?? null
  })
  return { identities: trusted, profile } satisfies Caller
})

/**
 * Finds or creates the contact of a caller, and records an outbound event if the contact has changed. Runs inside a
 * unit of work.
 */
export const resolveCaller = Effect.fnUntraced(function* (tenantId: string, caller: Caller, now: number) {
  const { change, contact } = yield* resolveContact(tenantId, caller.identities, caller.profile, now)
  if (change !== "none") yield* recordEvents([contactEvent(`contact.${change}`, contact)], now)
  return contact
})
