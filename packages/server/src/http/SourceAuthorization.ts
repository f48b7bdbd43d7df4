import { Principal, SourceAuthorization } from "@leadloom/api/Access"
import { Unauthorized } from "@leadloom/api/errors"
import { authenticateSource } from "@leadloom/core/access/AuthenticateSource"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { refuseCredential, type Watched } from "./Authorization.ts"
import { answer } from "./errors.ts"
import { skipped } from "./Events.ts"

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
 * Lets a custom event in with the key of its source, in `X-Source-Key` or as Bearer credential. The header names are
 * tried in the order of the contract, and only the last one does the work, so that a bad key is counted once. While the
 * store cannot be asked for keys, the answer in default mode is what it is for every outage: `skipped`.
 */
export const layer: Layer.Layer<SourceAuthorization, never, Watched> = Layer.effect(
  SourceAuthorization,
  Effect.map(Effect.context<Watched>(), (services) =>
    SourceAuthorization.of({
      bearer: () => Effect.fail(Unauthorized.of("Try the source key.")),
      sourceKey: (next, { credential }) =>
        admit(Redacted.value(credential)).pipe(
          Effect.provideContext(services),
          Effect.flatMap((principal) =>
            "status" in principal
              ? Effect.succeed(HttpServerResponse.jsonUnsafe(principal))
              : Effect.provideService(next, Principal, principal)
          )
        )
    })
  )
)
