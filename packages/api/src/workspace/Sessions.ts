import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Gate, gate, RequestValidation, SessionAuthorization } from "../Access.ts"
import { NotFound, keyErrors } from "../errors.ts"
import { text, IdempotencyKey } from "../schema/Field.ts"

const Direct = Schema.Struct({ tenant_id: Schema.String.check(Schema.isNonEmpty()) })

const ByLocation = Schema.Struct({
  location_id: text(128).annotate({ description: "A location of the CRM that stands for the tenant" }),
  proof: Schema.optionalKey(text(4_096)).annotate({
    description: "What the CRM gives its embedded page about its user, encrypted; where the location asks for it"
  })
})

/** A tenant, which needs a credential, or a location of the CRM, which needs none. */
export const MintSession = Schema.Union([Direct, ByLocation]).annotate({ identifier: "MintSession" })

export const Session = Schema.Struct({
  token: Schema.String,
  tenant_id: Schema.String,
  expires_at: Schema.Int.annotate({ description: "Unix epoch milliseconds, one hour after minting" })
}).annotate({ identifier: "Session" })

export const SessionsGroup = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.post("mint", "/sessions", {
      headers: IdempotencyKey,
      payload: MintSession,
      success: Session,
      error: [NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Mint a session token: agent rights on one tenant for one hour")
      .annotate(Gate, gate("sessions.mint", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Sessions", description: "Short-lived credentials for agents" }))
  .middleware(RequestValidation)
  .middleware(SessionAuthorization)
  .prefix("/api/v1")
