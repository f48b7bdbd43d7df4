import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { readSession } from "../../domain/access/SessionToken.ts"
import {
  formatSignInTicket,
  mintSignInSecret,
  parseSignInTicket,
  signInTicketMillis
} from "../../domain/access/SignInTicket.ts"
import type { User, UserRole } from "../../domain/user/User.ts"
import { ConsoleSessions } from "../../port/repository/tenant/ConsoleSessions.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { withSpan } from "../WithSpan.ts"
import { startConsoleSession } from "./ConsoleSessions.ts"
import { keepGrant, takeGrant } from "./StreamTickets.ts"

/** The sign-in ticket is malformed, unknown, used or expired. The response is the same for all reasons. */
export class SignInTicketInvalid extends TaggedError("SignInTicketInvalid")<{}> {}

/**
 * Creates a ticket that a browser exchanges for a console session of the tenant, once. The session starts with the ticket, so
 * the audit trail names the person who created the ticket.
 */
export const createSignInTicket = Effect.fnUntraced(function* (tenantId: string, user: User | null, role: UserRole) {
  const { token } = yield* startConsoleSession(tenantId, user, role)
  const secret = mintSignInSecret((yield* Randomness).bytes)
  const expiresAt = yield* keepGrant(tenantId, secret, { credential: token, actingUser: null }, signInTicketMillis)
  return { ticket: formatSignInTicket({ tenantId, secret }), expiresAt }
}, withSpan("createSignInTicket"))

/** Uses a ticket up and returns its session. Fails with `SignInTicketInvalid` for a ticket that is not valid. */
export const redeemSignInTicket = Effect.fnUntraced(function* (text: string) {
  const ticket = parseSignInTicket(text)
  if (ticket === null) return yield* new SignInTicketInvalid()
  const { credential: token } = yield* Effect.catchTag(
    takeGrant(ticket.tenantId, ticket.secret),
    "CredentialInvalid",
    () => new SignInTicketInvalid()
  )
  const now = yield* Clock.currentTimeMillis
  const reading = readSession(token, (yield* Secrets).sessionKeys, now)
  if (reading._tag === "Refused") return yield* new SignInTicketInvalid()
  const { expiresAt, jti, tenantId } = reading.session
  const session = yield* (yield* ConsoleSessions).find(tenantId, jti, now)
  if (session === null) return yield* new SignInTicketInvalid()
  const { endsAt, role, userId } = session
  return { token, tenantId, userId, role, expiresAt, endsAt }
}, withSpan("redeemSignInTicket"))
