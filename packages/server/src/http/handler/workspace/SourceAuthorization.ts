import { Principal, SourceAuthorization } from "@leadloom/api/Access"
import { Unauthorized } from "@leadloom/api/errors"
import { authenticateSource } from "@leadloom/core/workflow/access/Authenticate"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiEndpoint, HttpApiSecurity } from "effect/http-api"
import { refuseCredential, type Watched, watched } from "../../middleware/Authorization.ts"
import { answer } from "../../error/errors.ts"
import { skipped } from "./Events.ts"
import { once } from "../../middleware/Idempotency.ts"

const admit = Effect.fnUntraced(function* (sourceKey: string) {
  const bearer = yield* HttpApiBuilder.securityDecode(HttpApiSecurity.bearer)
  const credential = sourceKey === "" ? Redacted.value(bearer) : sourceKey
  const { source_id = "", tenant_id = "" } = yield* HttpRouter.params
  const authenticated = authenticateSource(credential, tenant_id, source_id).pipe(
    Effect.catchTag("CredentialInvalid", () => Effect.succeed(null))
  )
  const { mode } = yield* HttpServerRequest.ParsedSearchParams
  const principal = yield* answer(
    mode === "sync" ? authenticated : Effect.catchTag(authenticated, "StoreUnavailable", () => Effect.succeed(skipped))
  )
  // Custom events have no `Retry-After`, says the specification.
  return principal ?? (yield* refuseCredential(credential, false))
})

/**
 * An event that is stored keeps its key with its message. One that only meets the rules is stored nowhere, and its key is
 * kept as that of any other request. Keys belong to the tenant and source of the path.
 */
const onceRouted = Effect.fnUntraced(function* <E, R>(
  next: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  endpoint: HttpApiEndpoint.Top
) {
  const { mode } = yield* HttpServerRequest.ParsedSearchParams
  if (mode !== "sync") return yield* next
  const { source_id = "", tenant_id = "" } = yield* HttpRouter.params
  return yield* once(next, { idempotency: "repeatable" }, endpoint, {
    credential: `source:${source_id}`,
    tenantId: tenant_id
  })
})

/**
 * Lets a custom event in with the key of its source, in `X-Source-Key` or as Bearer credential. The header names are
 * tried in the order of the contract, and only the last one does the work, so that a bad key is counted once. While the
 * store cannot be asked for keys, the answer in default mode is what it is for every outage: `skipped`.
 */
export const layer: Layer.Layer<SourceAuthorization, never, Watched> = Layer.effect(
  SourceAuthorization,
  Effect.map(watched, (services) =>
    SourceAuthorization.of({
      bearer: () => Effect.fail(Unauthorized.of("Try the source key.")),
      sourceKey: (next, { credential, endpoint }) =>
        admit(Redacted.value(credential)).pipe(
          Effect.flatMap((principal) =>
            "status" in principal
              ? Effect.succeed(HttpServerResponse.jsonUnsafe(principal))
              : onceRouted(Effect.provideService(next, Principal, principal), endpoint)
          ),
          Effect.provideContext(services)
        )
    })
  )
)
