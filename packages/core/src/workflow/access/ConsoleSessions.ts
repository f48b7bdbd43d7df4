import { bytesToHex } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import {
  beginConsoleSession,
  type ConsoleSession,
  ConsoleSessionNotFound,
  NotConsoleSession
} from "../../domain/access/ConsoleSession.ts"
import type { Principal } from "../../domain/access/Principal.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { mintSession } from "../../domain/access/SessionToken.ts"
import type { UserRole, User } from "../../domain/user/User.ts"
import { ConsoleSessions } from "../../port/repository/tenant/ConsoleSessions.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { withSpan } from "../WithSpan.ts"
import { recordAuditChange } from "./Audited.ts"
import { SessionsNotConfigured } from "./MintSession.ts"

const audited = ({ role, sessionId, userId }: ConsoleSession) => ({ session: sessionId, user_id: userId, role })

/** Creates a token of a session. It expires no later than the session. */
const mintToken = Effect.fnUntraced(function* (session: ConsoleSession) {
  const [key] = (yield* Secrets).sessionKeys
  if (key === undefined) return yield* new SessionsNotConfigured()
  const { endsAt, role, sessionId, tenantId, userId } = session
  const acting = userId === null ? {} : { userId }
  const now = yield* Clock.currentTimeMillis
  const minted = mintSession({ tenantId, jti: sessionId, role, ...acting }, key, now, endsAt)
  return { ...minted, tenantId, userId, role, endsAt }
})

/** Starts a session of the web console and returns its first token. */
export const startConsoleSession = Effect.fnUntraced(function* (tenantId: string, user: User | null, role: UserRole) {
  yield* (yield* Tenants).get(tenantId)
  const sessionId = bytesToHex((yield* Randomness).bytes(16))
  const now = yield* Clock.currentTimeMillis
  const session = beginConsoleSession({ tenantId, sessionId, userId: user?.userId ?? null, role }, now)
  const sessions = yield* ConsoleSessions
  const unit = Effect.andThen(
    sessions.add(session, now),
    recordAuditChange({ before: null, after: audited(session) }, tenantId)
  )
  const minted = yield* mintToken(session)
  yield* (yield* Transactions).atomically(tenantId, unit)
  return minted
}, withSpan("startConsoleSession"))

/** Returns the valid session of a principal. Fails with `NotConsoleSession` for any other credential. */
const sessionOf = Effect.fnUntraced(function* (principal: Principal) {
  if (principal._tag !== "Session" || principal.role === undefined) return yield* new NotConsoleSession()
  const now = yield* Clock.currentTimeMillis
  const session = yield* (yield* ConsoleSessions).find(principal.tenantId, principal.jti, now)
  return session ?? (yield* new NotConsoleSession())
})

/** Returns a new token of the caller's session, which expires no later than the session. */
export const renewConsoleSession = Effect.fnUntraced(function* (principal: Principal) {
  return yield* mintToken(yield* sessionOf(principal))
}, withSpan("renewConsoleSession"))

/** Revokes a session with all of its tokens. Fails with `ConsoleSessionNotFound` if it is no longer valid. */
export const revokeConsoleSession = Effect.fnUntraced(function* (tenantId: string, sessionId: string) {
  const sessions = yield* ConsoleSessions
  const now = yield* Clock.currentTimeMillis
  const unit = Effect.gen(function* () {
    const session = yield* sessions.find(tenantId, sessionId, now)
    if (session === null) return yield* new ConsoleSessionNotFound()
    yield* sessions.revoke(tenantId, sessionId, now)
    yield* recordAuditChange({ before: audited(session), after: null })
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("revokeConsoleSession"))

/** Ends the caller's own session. */
export const endConsoleSession = Effect.fnUntraced(function* (principal: Principal) {
  const { sessionId, tenantId } = yield* sessionOf(principal)
  const now = yield* Clock.currentTimeMillis
  const sessions = yield* ConsoleSessions
  yield* (yield* Transactions).atomically(tenantId, sessions.revoke(tenantId, sessionId, now))
}, withSpan("endConsoleSession"))
