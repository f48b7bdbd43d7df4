import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { ContactId } from "../../domain/Id.ts"
import { IdentityInvalid } from "../../domain/contact/Contact.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { type Identity, identitiesOf, type IdentityClaims, lookupIdentities } from "../../domain/contact/Identity.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { resolveContact } from "./ResolveContact.ts"
import { profileOf, resolveSender, type SenderProfile } from "../../domain/contact/Resolve.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"

/** No contact of the tenant has any of the requested identities. */
export class ContactNotMatched extends TaggedError("ContactNotMatched")<{
  readonly requested: ReadonlyArray<string>
}> {}

/** The identities by which a contact is searched. */
export interface ContactLookup extends IdentityClaims {
  readonly name?: string | null
  /** True to create a contact from the request when none matches. */
  readonly create: boolean
}

const fieldNames = { email: "email", phone: "phone", externalId: "external_id" } as const

const read = (question: ContactLookup, defaultCountry: string): ReadonlyArray<Identity> | IdentityInvalid => {
  const { identities, issues } = identitiesOf(
    { ...question, source: question.source?.toWellFormed() },
    defaultCountry,
    parsePhoneMemoized
  )
  const [issue] = issues
  if (issue !== undefined) return new IdentityInvalid({ field: fieldNames[issue.field], reason: issue.message })
  if (identities.length > 0) return identities
  return new IdentityInvalid({
    field: "",
    reason: "No identity was sent. Send an email, a phone, or an external_id with its source."
  })
}

/**
 * Finds the contact that has one of the given identities, by the same rules as for an inbound message: a number matches
 * in all its forms, and of several contacts the oldest is returned. `others` lists the remaining ones. Archived
 * contacts match too, and stay archived. With `create`, a missing contact is created.
 */
export const findContact = Effect.fnUntraced(function* (tenantId: string, question: ContactLookup) {
  const { config } = yield* (yield* Tenants).get(tenantId)
  const identities = read(question, config.defaultCountry)
  if (identities instanceof IdentityInvalid) return yield* identities
  const contacts = yield* Contacts
  const holders = yield* contacts.holders(tenantId, lookupIdentities(identities))
  const { suggestMerge, use } = resolveSender(identities, holders)
  const others: ReadonlyArray<ContactId> = suggestMerge.map(({ from }) => from)
  if (use !== null) return { contact: use, created: false, others }
  if (!question.create) return yield* new ContactNotMatched({ requested: identities.map(({ value }) => value) })
  const name = question.name?.trim() === "" ? null : (question.name?.trim() ?? null)
  return yield* create(tenantId, identities, profileOf(identities, { name, company: null }))
}, withSpan("findContact"))

/**
 * Creates a contact, unless a concurrent request has created it since the first look-up. In that case, returns the
 * existing contact.
 */
const create = Effect.fnUntraced(function* (
  tenantId: string,
  identities: ReadonlyArray<Identity>,
  profile: SenderProfile
) {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const { change, contact } = yield* resolveContact(tenantId, identities, profile, now)
      if (change !== "none") yield* recordEvents([contactEvent(`contact.${change}`, contact)], now)
      const others: ReadonlyArray<ContactId> = []
      return { contact, created: change === "created", others }
    })
  )
})
