import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Gate, gate, RequestValidation } from "../Access.ts"
import { ServiceUnavailable } from "../errors.ts"

/** The health of this server. */
export const Health = Schema.Struct({
  status: Schema.Literal("ok").annotate({ description: "Always `ok`; a server that is not ready answers 503" }),
  version: Schema.String.annotate({ description: "The version of the server" })
}).annotate({ identifier: "Health", description: "The state of the server" })

export const SystemGroup = HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health", { success: Health, error: ServiceUnavailable })
      .annotate(OpenApi.Summary, "Check whether this server is ready")
      .annotate(OpenApi.Description, "For load balancers and monitors. 503 means that the database does not answer.")
      .annotate(Gate, gate("system.health", { limiter: "none" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "System", description: "The health of this server" }))
  .middleware(RequestValidation)
