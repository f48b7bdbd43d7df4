import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/admin/LeakedKeys"
import { checkLeakedKeys, type LeakedKey } from "@leadloom/core/internal/workflow/access/LeakedKeys"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const toJson = ({ id, kind, live, prefix, revoked, status, tenantId }: LeakedKey): typeof Wire.LeakedKey.Type => ({
  kind,
  prefix,
  status,
  live,
  tenant_id: tenantId,
  id,
  revoked
})

/** Endpoints that find leaked keys in a text, and revoke them on request. */
export const layer = HttpApiBuilder.group(Api, "leakedKeys", (handlers) =>
  handlers.handleAll({
    check: Effect.fnUntraced(function* ({ payload }) {
      const by = principalName(yield* Principal)
      const leaked = yield* answer(checkLeakedKeys(payload.text, payload.revoke ?? false, by))
      return { leaked_keys: leaked.map(toJson) }
    })
  })
)
