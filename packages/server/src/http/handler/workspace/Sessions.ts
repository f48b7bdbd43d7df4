import { Caller } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { Unauthorized } from "@leadloom/api/internal/errors"
import { mintSession } from "@leadloom/core/internal/workflow/access/MintSession"
import type { MintedSession } from "@leadloom/core/internal/domain/access/SessionToken"
import { mintLocationSession } from "@leadloom/core/internal/workflow/crm/Locations"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { requireRight } from "../../middleware/Authorization.ts"
import { answer } from "../../error/errors.ts"

const toJson = ({ expiresAt, tenantId, token }: MintedSession & { readonly tenantId: string }) => ({
  token,
  tenant_id: tenantId,
  expires_at: expiresAt
})

/** Endpoints for session tokens of agents. */
export const layer = HttpApiBuilder.group(Api, "sessions", (handlers) =>
  handlers.handleAll({
    // Only this endpoint has the tenant in the body, so it checks the access to the tenant itself.
    mint: Effect.fnUntraced(function* ({ payload }) {
      if ("location_id" in payload) {
        return toJson(yield* answer(mintLocationSession(payload.location_id, payload.proof ?? null)))
      }
      const { principal } = yield* Caller
      if (principal === null) return yield* Unauthorized.of("A session for a tenant requires a credential.")
      yield* requireRight(principal, "mintSession", payload.tenant_id)
      return toJson(yield* answer(mintSession(payload.tenant_id)))
    })
  })
)
