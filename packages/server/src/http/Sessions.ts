import { Principal } from "@leadloom/api/Access"
import { Api } from "@leadloom/api/Api"
import { mintSession } from "@leadloom/core/access/MintSession"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { requireRight } from "./Authorization.ts"
import { answer } from "./errors.ts"

/** Session tokens for agents. */
export const layer = HttpApiBuilder.group(Api, "sessions", (handlers) =>
  handlers.handleAll({
    // The one route whose tenant stands in the body, where the watcher at the door does not look.
    mint: Effect.fnUntraced(function* ({ payload }) {
      yield* requireRight(yield* Principal, "mintSession", payload.tenant_id)
      const { expiresAt, tenantId, token } = yield* answer(mintSession(payload.tenant_id))
      return { token, tenant_id: tenantId, expires_at: expiresAt }
    })
  })
)
