import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, RequestValidation } from "./Access.ts"
import { NotFound } from "./errors.ts"

export const MintSession = Schema.Struct({ tenant_id: Schema.String.check(Schema.isNonEmpty()) }).annotate({
  identifier: "MintSession"
})

export const Session = Schema.Struct({
  token: Schema.String,
  tenant_id: Schema.String,
  expires_at: Schema.Int.annotate({ description: "Unix epoch milliseconds, one hour after minting" })
}).annotate({ identifier: "Session" })

export const SessionsGroup = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.post("mint", "/sessions", { payload: MintSession, success: Session, error: NotFound })
      .annotate(OpenApi.Summary, "Mint a session token: agent rights on one tenant for one hour")
      .annotate(Gate, { operation: "mintSession", limiter: "admin", idempotency: "harmless" })
  )
  .annotateMerge(OpenApi.annotations({ title: "Sessions", description: "Short-lived credentials for agents" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
