import { Api, version } from "@leadloom/api/internal/Api"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "./error/errors.ts"

/**
 * The id of the tenant that the health check looks up, to see whether the store answers. No tenant has this id, because
 * it is a reserved word.
 */
const nobody = "health"

const health = Effect.gen(function* () {
  const tenants = yield* Tenants
  yield* answer(Effect.catchTag(tenants.get(nobody), "TenantNotFound", () => Effect.void))
  return { status: "ok" as const, version }
})

/** Reports whether the server is healthy: its store must answer. */
export const layer = HttpApiBuilder.group(Api, "system", (handlers) => handlers.handleAll({ health: () => health }))
