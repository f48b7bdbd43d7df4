import { Clock, Effect } from "effect"
import { discovered, minKnownUsers } from "../../domain/email/Alias.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import type { ContactId } from "../../domain/Id.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import type { InboundMail } from "./MailArrival.ts"
import type { UsedAddresses } from "./UsedAddresses.ts"

/** The limit of addresses of one mail that are examined. */
const maxExamined = 20

/** Returns the sender's contact if a person of the tenant has written to it, so that strangers teach no aliases. */
const knownSender = Effect.fnUntraced(function* ({ identities, tenant: { tenantId } }: InboundMail) {
  const [holder] = yield* (yield* Contacts).holders(tenantId, identities)
  if (holder === undefined) return null
  const { contactId } = holder.contact
  const { lastByPersonAt } = yield* (yield* Messages).ourSide(tenantId, contactId, yield* Clock.currentTimeMillis)
  return lastByPersonAt === null ? null : contactId
})

/** Returns those of the addresses that enough known contacts have used. */
const usedByKnown = Effect.fnUntraced(function* (inbound: InboundMail, arrivedAt: ReadonlyArray<string>) {
  const sender: ContactId | null = arrivedAt.length === 0 ? null : yield* knownSender(inbound)
  if (sender === null) return []
  const conversations = yield* Conversations
  const used: Array<string> = []
  for (const email of arrivedAt.slice(0, maxExamined)) {
    const users = yield* conversations.knownUsers(inbound.tenant.tenantId, email, minKnownUsers)
    if (new Set([...users, sender]).size >= minKnownUsers) used.push(email)
  }
  return used
})

/**
 * Adds addresses on the tenant's domain to the aliases of the account that received the mail: those from which a person of the
 * tenant wrote, and those that several known contacts used. Returns the mail with a remark about the addresses that
 * exceed the limit of aliases. Runs inside a unit of work.
 */
export const discoverAliases = Effect.fnUntraced(function* (inbound: InboundMail, addresses: UsedAddresses) {
  const { domain, tenantId } = inbound.tenant
  const grant = yield* (yield* Grants).find(tenantId, addresses.grantId)
  if (grant === null || domain === null) return inbound
  const learned = [...addresses.writtenFrom, ...(yield* usedByKnown(inbound, addresses.arrivedAt))]
  const { aliases, skipped } = discovered(grant, learned, domain)
  if (aliases.length > grant.aliases.length) yield* setFree(grant, aliases)
  if (skipped.length === 0) return inbound
  const remarks = [
    `not added as aliases, because the limit is reached: ${skipped.join(", ")}`,
    ...(inbound.detail === null ? [] : [inbound.detail])
  ]
  return { ...inbound, detail: remarks.join("; ").slice(0, 500) }
})

/**
 * Stores the aliases, except those that another tenant or another account has connected. Has no effect when the account has been
 * disconnected.
 */
const setFree = Effect.fnUntraced(function* (grant: Grant, aliases: ReadonlyArray<string>) {
  const grants = yield* Grants
  const updatedAt = yield* Clock.currentTimeMillis
  const set = (list: ReadonlyArray<string>) => grants.setAliases({ ...grant, aliases: list, updatedAt })
  yield* set(aliases).pipe(
    Effect.catchTag(["AddressTaken", "AddressConnected"], ({ addresses }) =>
      set(aliases.filter((email) => !addresses.includes(email)))
    ),
    Effect.catchTag(["GrantNotFound", "AddressTaken", "AddressConnected"], () => Effect.void)
  )
})
