import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Gate, gate, RequestValidation } from "../Access.ts"
import { ServiceUnavailable } from "../errors.ts"

/** The health of this server. */
export const Health = Schema.Struct({
  status: Schema.Literal("ok"),
  version: Schema.String
}).annotate({ identifier: "Health" })

export const SystemGroup = HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health", { success: Health, error: ServiceUnavailable })
      .annotate(OpenApi.Summary, "Check whether this server is ready")
      .annotate(Gate, gate("system.health", { limiter: "none" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "System", description: "The health of this server" }))
  .middleware(RequestValidation)
