import { Principal, SourceAuthorization } from "@leadloom/api/internal/Access"
import { Unauthorized } from "@leadloom/api/internal/errors"
import { authenticateSource } from "@leadloom/core/internal/workflow/access/Authenticate"
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
  // The specification forbids `Retry-After` for custom events.
  return principal ?? (yield* refuseCredential(credential, false))
})

/**
 * Applies the idempotency key of an event with `mode=sync`, in the same way as for any other request. In default mode,
 * the key is stored with the message of the event. A key belongs to the tenant and the source in the path.
 */
const onceRouted = Effect.fnUntraced(function* <E, R>(
  next: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  endpoint: HttpApiEndpoint.Top
) {
  const { mode } = yield* HttpServerRequest.ParsedSearchParams
  if (mode !== "sync") return yield* next
  const { source_id = "", tenant_id = "" } = yield* HttpRouter.params
  const use = Effect.succeed({ credential: `source:${source_id}`, tenantId: tenant_id })
  return yield* once(next, { idempotency: "repeatable" }, endpoint, use)
})

/** The result of the Bearer scheme. Every request gets it, so the error is created once. */
const bearerFailed = Effect.fail(Unauthorized.of("Use the source key."))

/**
 * Authenticates a custom event by the key of its source, in `X-Source-Key` or as Bearer credential. The framework tries
 * the security schemes in the order of the contract. Only the last one authenticates, so that an invalid key is counted
 * once. If the store does not answer, the response in default mode is `skipped`, as in every outage.
 */
export const layer: Layer.Layer<SourceAuthorization, never, Watched> = Layer.effect(
  SourceAuthorization,
  Effect.map(watched, (present) =>
    SourceAuthorization.of({
      bearer: () => bearerFailed,
      sourceKey: (next, { credential, endpoint }) =>
        admit(Redacted.value(credential)).pipe(
          Effect.flatMap((principal) =>
            "status" in principal
              ? Effect.succeed(HttpServerResponse.jsonUnsafe(principal))
              : onceRouted(Effect.provideService(next, Principal, principal), endpoint)
          ),
          present
        )
    })
  )
)
