import { Api, version } from "@leadloom/api/Api"
import { Tenants } from "@leadloom/core/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "./error/errors.ts"

/** A reserved word, so no tenant has this id. The query only checks that the store answers. */
const nobody = "health"

const health = Effect.gen(function* () {
  const tenants = yield* Tenants
  yield* answer(Effect.catchTag(tenants.get(nobody), "TenantNotFound", () => Effect.void))
  return { status: "ok" as const, version }
})

/** Reports whether the server is healthy: its store must answer. */
export const layer = HttpApiBuilder.group(Api, "system", (handlers) => handlers.handleAll({ health: () => health }))
