import { Caller, WorkflowAuthorization } from "@leadloom/api/Access"
import { Unauthorized } from "@leadloom/api/errors"
import { constantTimeEquals } from "@leadloom/core/domain/access/Credential"
import { keyHolder } from "@leadloom/core/domain/access/Principal"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { identify, refuseCredential, requireRight, type Watched, watched } from "./Authorization.ts"
import { gateOf } from "./Gates.ts"
import { once } from "./Idempotency.ts"
import { ProviderSecrets } from "./ProviderSecrets.ts"

/** Every secret is compared, so that the time tells nothing of which one it was. */
const isSecret = Effect.fnUntraced(function* (shown: string) {
  const { crmActions } = yield* ProviderSecrets
  return crmActions.filter((secret) => constantTimeEquals(Redacted.value(secret), shown)).length > 0
})

const admit = Effect.fnUntraced(function* (secret: string) {
  if (secret !== "") return (yield* isSecret(secret)) ? null : yield* refuseCredential(secret)
  const bearer = Redacted.value(yield* HttpApiBuilder.securityDecode(HttpApiSecurity.bearer))
  const principal = yield* identify(bearer)
  // Whether the location is one of the caller's is asked when it is known which it is.
  yield* requireRight(principal, "crmAction", null)
  return principal
})

/**
 * Lets a workflow of the CRM in, with the shared secret or a key. The header names are tried in the order of the contract,
 * and only the last one does the work, so that a bad credential is counted once.
 */
export const layer: Layer.Layer<WorkflowAuthorization, never, Watched | ProviderSecrets> = Layer.effect(
  WorkflowAuthorization,
  Effect.map(
    Effect.zipWith(watched, ProviderSecrets, (found, secrets) => Context.add(found, ProviderSecrets, secrets)),
    (services) =>
      WorkflowAuthorization.of({
        bearer: () => Effect.fail(Unauthorized.of("Try the workflow secret.")),
        workflowSecret: (next, { credential, endpoint }) =>
          Effect.gen(function* () {
            const gate = yield* gateOf(endpoint)
            const principal = yield* admit(Redacted.value(credential))
            const called = Effect.provideService(next, Caller, { principal })
            const use = { credential: principal === null ? "workflow" : keyHolder(principal), tenantId: "" }
            return yield* once(called, gate, endpoint, use)
          }).pipe(Effect.provideContext(services))
      })
  )
)
