import { Clock, Effect, Schema } from "effect"
import { hashSecret } from "../../domain/access/Credential.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { mintTicket, parseTicket, TicketGrant, ticketMillis } from "../../domain/access/StreamTicket.ts"
import { StreamTickets } from "../../port/repository/tenant/StreamTickets.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { Vault } from "../../port/system/Vault.ts"
import { withSpan } from "../WithSpan.ts"
import { CredentialInvalid } from "./Authenticate.ts"

/** FROZEN, because stored grants are sealed with this text. Returns the seal context (`Vault`) of a ticket's grant. */
export const ticketSealContext = (tenantId: string, hash: string): string => `ticket:${tenantId}:${hash}`

const grantJson = Schema.fromJsonString(TicketGrant)
const encodeGrant = Schema.encodeSync(grantJson)
const decodeGrant = Schema.decodeUnknownEffect(grantJson)

const invalid = (reason: string) => new CredentialInvalid({ reason: `ticket: ${reason}` })

/** Stores a new ticket with its grant. Returns the time from which the ticket is rejected. */
export const keepGrant = Effect.fnUntraced(function* (
  tenantId: string,
  ticket: string,
  grant: typeof TicketGrant.Type,
  lifetimeMillis: number
) {
  const now = yield* Clock.currentTimeMillis
  const hash = hashSecret((yield* Secrets).pepper, ticket)
  const sealed = (yield* Vault).seal(encodeGrant(grant), ticketSealContext(tenantId, hash))
  const expiresAt = now + lifetimeMillis
  const tickets = yield* StreamTickets
  yield* (yield* Transactions).atomically(tenantId, tickets.add({ tenantId, hash, sealed, expiresAt }, now))
  return expiresAt
})

/** Uses a ticket up and returns its grant. Fails with `CredentialInvalid` for a ticket that is not valid. */
export const takeGrant = Effect.fnUntraced(function* (tenantId: string, ticket: string) {
  const hash = hashSecret((yield* Secrets).pepper, ticket)
  const now = yield* Clock.currentTimeMillis
  const tickets = yield* StreamTickets
  const stored = yield* (yield* Transactions).atomically(tenantId, tickets.take(tenantId, hash, now))
  if (stored === null) return yield* invalid("unknown, used or expired")
  return yield* (yield* Vault).open(stored.sealed, ticketSealContext(tenantId, hash)).pipe(
    Effect.flatMap(decodeGrant),
    Effect.mapError(() => invalid("sealed with an unknown key"))
  )
})

/** Creates a ticket that opens one event stream of the tenant with the rights of `grant`. */
export const createStreamTicket = Effect.fnUntraced(function* (tenantId: string, grant: typeof TicketGrant.Type) {
  yield* (yield* Tenants).get(tenantId)
  const { key: ticket } = mintTicket((yield* Randomness).bytes)
  return { ticket, expiresAt: yield* keepGrant(tenantId, ticket, grant, ticketMillis) }
}, withSpan("createStreamTicket"))

/**
 * Uses a ticket up and returns its grant. The caller authenticates the grant's credential again, because it may have
 * become invalid since the ticket was created. Fails with `CredentialInvalid` for a ticket that is not valid.
 */
export const redeemStreamTicket = Effect.fnUntraced(function* (tenantId: string, ticket: string) {
  if (parseTicket(ticket) === null) return yield* invalid("wrong form")
  return yield* takeGrant(tenantId, ticket)
}, withSpan("redeemStreamTicket"))
