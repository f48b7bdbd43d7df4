import { Caller, WorkflowAuthorization } from "@leadloom/api/internal/Access"
import { Unauthorized } from "@leadloom/api/internal/errors"
import { constantTimeEquals } from "@leadloom/core/internal/domain/access/Credential"
import { keyHolder } from "@leadloom/core/internal/domain/access/Principal"
import { Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { identify, refuseCredential, requireRight, type Watched } from "./Authorization.ts"
import { gateOf } from "./Gates.ts"
import { once } from "./Idempotency.ts"
import { presentServices } from "./PresentServices.ts"
import { ProviderSecrets } from "./ProviderSecrets.ts"

/** Compares all secrets, so that the response time does not reveal which secret matches. */
const isSecret = Effect.fnUntraced(function* (shown: string) {
  const { crmActions } = yield* ProviderSecrets
  return crmActions.filter((secret) => constantTimeEquals(Redacted.value(secret), shown)).length > 0
})

const admit = Effect.fnUntraced(function* (secret: string) {
  if (secret !== "") return (yield* isSecret(secret)) ? null : yield* refuseCredential(secret)
  const bearer = Redacted.value(yield* HttpApiBuilder.securityDecode(HttpApiSecurity.bearer))
  const principal = yield* identify(bearer)
  // The handler checks later whether the caller may use the location.
  yield* requireRight(principal, "crmAction", null)
  return principal
})

/**
 * Authenticates a workflow of the CRM by the shared secret or by a key. The framework tries the security schemes in the
 * order of the contract. Only the last one authenticates, so that an invalid credential is counted once.
 */
export const layer: Layer.Layer<WorkflowAuthorization, never, Watched | ProviderSecrets> = Layer.effect(
  WorkflowAuthorization,
  Effect.map(presentServices<Watched | ProviderSecrets>(), (present) =>
    WorkflowAuthorization.of({
      bearer: () => Effect.fail(Unauthorized.of("Use the workflow secret.")),
      workflowSecret: (next, { credential, endpoint }) =>
        Effect.gen(function* () {
          const gate = yield* gateOf(endpoint)
          const principal = yield* admit(Redacted.value(credential))
          const called = Effect.provideService(next, Caller, { principal })
          const use = Effect.succeed({
            credential: principal === null ? "workflow" : keyHolder(principal),
            tenantId: ""
          })
          return yield* once(called, gate, endpoint, use)
        }).pipe(present)
    })
  )
)
