import { Caller } from "@leadloom/api/internal/Access"
import type { DirectSession } from "@leadloom/api/internal/workspace/Sessions"
import { Api } from "@leadloom/api/internal/Api"
import { Unauthorized } from "@leadloom/api/internal/errors"
import { mintSession } from "@leadloom/core/internal/workflow/access/MintSession"
import { createSignInTicket, redeemSignInTicket } from "@leadloom/core/internal/workflow/access/SignInTickets"
import type { MintedSession } from "@leadloom/core/internal/domain/access/SessionToken"
import { mintLocationSession } from "@leadloom/core/internal/workflow/crm/Locations"
import { type SessionPerson, sessionUser } from "@leadloom/core/internal/workflow/user/SessionUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { requireRight } from "../../middleware/Authorization.ts"
import { answer } from "../../error/errors.ts"

type Minted = MintedSession & { readonly tenantId: string; readonly userId: string | null }

const toJson = ({ expiresAt, tenantId, token, userId }: Minted) => ({
  token,
  tenant_id: tenantId,
  user_id: userId,
  expires_at: expiresAt
})

const personOf = ({ user, user_id: userId }: typeof DirectSession.Type): SessionPerson | null =>
  userId === undefined ? (user ?? null) : { userId }

/** Returns the user of a session that the caller may create in a tenant; null for a session without a user. */
const admittedUser = Effect.fnUntraced(function* (payload: typeof DirectSession.Type) {
  const { principal } = yield* Caller
  if (principal === null) return yield* Unauthorized.of("A session for a tenant requires a credential.")
  yield* requireRight(principal, "mintSession", payload.tenant_id)
  return yield* answer(sessionUser(payload.tenant_id, principal, personOf(payload)))
})

/** Endpoints for session tokens of agents. */
export const layer = HttpApiBuilder.group(Api, "sessions", (handlers) =>
  handlers.handleAll({
    // Only these endpoints have the tenant in the body, so they check the access to the tenant themselves.
    mint: Effect.fnUntraced(function* ({ payload }) {
      if ("location_id" in payload) {
        return toJson(yield* answer(mintLocationSession(payload.location_id, payload.proof ?? null)))
      }
      if ("ticket" in payload) return toJson(yield* answer(redeemSignInTicket(payload.ticket)))
      const user = yield* admittedUser(payload)
      return toJson(yield* answer(mintSession(payload.tenant_id, user)))
    }),
    createTicket: Effect.fnUntraced(function* ({ payload }) {
      const user = yield* admittedUser(payload)
      const { expiresAt, ticket } = yield* answer(createSignInTicket(payload.tenant_id, user))
      return { ticket, expires_at: expiresAt }
    })
  })
)
