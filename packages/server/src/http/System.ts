import { Api, version } from "@leadloom/api/Api"
import { Tenants } from "@leadloom/core/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "./error/errors.ts"

/** A reserved word, so there never is such a tenant: that the store says so is all we want to hear. */
const nobody = "health"

const health = Effect.gen(function* () {
  const tenants = yield* Tenants
  yield* answer(Effect.catchTag(tenants.get(nobody), "TenantNotFound", () => Effect.void))
  return { status: "ok" as const, version }
})

/** Answers whether the server can do its work: its store has to answer. */
export const layer = HttpApiBuilder.group(Api, "system", (handlers) => handlers.handleAll({ health: () => health }))
