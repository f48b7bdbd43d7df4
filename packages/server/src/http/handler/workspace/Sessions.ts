import { Caller } from "@leadloom/api/internal/Access"
import { type DirectSession, sessionToJson } from "@leadloom/api/internal/workspace/Sessions"
import { Api } from "@leadloom/api/internal/Api"
import { Unauthorized } from "@leadloom/api/internal/errors"
import { mintSession } from "@leadloom/core/internal/workflow/access/MintSession"
import { createSignInTicket, redeemSignInTicket } from "@leadloom/core/internal/workflow/access/SignInTickets"
import type { UserRole } from "@leadloom/core/internal/domain/user/User"
import { mintLocationSession } from "@leadloom/core/internal/workflow/crm/Locations"
import { type SessionPerson, sessionRole, sessionUser } from "@leadloom/core/internal/workflow/user/SessionUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { requireRight } from "../../middleware/Authorization.ts"
import { answer } from "../../error/errors.ts"

const personOf = ({ user, user_id: userId }: typeof DirectSession.Type): SessionPerson | null =>
  userId === undefined ? (user ?? null) : { userId }

/** Returns the caller and the user of a session that the caller may create in a tenant. */
const admitted = Effect.fnUntraced(function* (payload: typeof DirectSession.Type, role?: UserRole) {
  const { principal } = yield* Caller
  if (principal === null) return yield* Unauthorized.of("A session for a tenant requires a credential.")
  yield* requireRight(principal, "mintSession", payload.tenant_id)
  const user = yield* answer(sessionUser(payload.tenant_id, principal, personOf(payload), role))
  return { principal, user }
})

/** Endpoints for session tokens of agents. */
export const layer = HttpApiBuilder.group(Api, "sessions", (handlers) =>
  handlers.handleAll({
    // Only these endpoints have the tenant in the body, so they check the access to the tenant themselves.
    mint: Effect.fnUntraced(function* ({ payload }) {
      if ("location_id" in payload) {
        return sessionToJson(yield* answer(mintLocationSession(payload.location_id, payload.proof ?? null)))
      }
      if ("ticket" in payload) return sessionToJson(yield* answer(redeemSignInTicket(payload.ticket)))
      const { user } = yield* admitted(payload)
      return sessionToJson(yield* answer(mintSession(payload.tenant_id, user)))
    }),
    createTicket: Effect.fnUntraced(function* ({ payload }) {
      const { principal, user } = yield* admitted(payload, payload.role)
      const role = yield* answer(sessionRole(principal, user, payload.role))
      const { expiresAt, ticket } = yield* answer(createSignInTicket(payload.tenant_id, user, role))
      return { ticket, expires_at: expiresAt }
    })
  })
)
