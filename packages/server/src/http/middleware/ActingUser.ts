import type { GateDeclaration } from "@leadloom/api/internal/Access"
import { Forbidden } from "@leadloom/api/internal/errors"
import type { Principal } from "@leadloom/core/internal/domain/access/Principal"
import { UserInactive } from "@leadloom/core/internal/domain/user/User"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { identifyUser } from "@leadloom/core/internal/workflow/user/IdentifyUser"
import { Effect } from "effect"
import type { Headers } from "effect/http"
import { answer } from "../error/errors.ts"

/** The header with which a partner's backend states for which of its people it sends a request. */
export const actingUserHeader = "x-acting-user"

const named = Effect.fnUntraced(function* (tenantId: string, userId: string) {
  const user = yield* (yield* Users).get(tenantId, userId)
  return user.active ? user : yield* new UserInactive({ userId })
})

/** Returns the user that `X-Acting-User` names. Only API keys and the admin key may name one. */
const namedUser = Effect.fnUntraced(function* (
  principal: Principal,
  { operation }: Pick<GateDeclaration, "operation">,
  tenantId: string,
  userId: string
) {
  if (principal._tag !== "ApiKey" && principal._tag !== "Admin") {
    return yield* Forbidden.of("This credential acts as its own user. Remove the header X-Acting-User.")
  }
  if (operation !== "agent" && operation !== "pipeline") {
    return yield* Forbidden.of("X-Acting-User is permitted only for operations of agents. Remove the header.")
  }
  return yield* answer(Effect.catchTag(named(tenantId, userId), "UserNotFound", () => new UserInactive({ userId })))
})

/** Returns the user as whom a request acts in a tenant; null if it acts as none, or if it names no tenant. */
export const actingUser = (
  headers: Headers.Headers,
  principal: Principal,
  gate: Pick<GateDeclaration, "operation">,
  tenantId: string | null
) => {
  if (tenantId === null) return Effect.succeed(null)
  const header = headers[actingUserHeader]
  return header === undefined ? answer(identifyUser(tenantId, principal)) : namedUser(principal, gate, tenantId, header)
}
