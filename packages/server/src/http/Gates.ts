import { Api } from "@leadloom/api/Api"
import {
  Authorization,
  Gate,
  type GateDeclaration,
  SessionAuthorization,
  SourceAuthorization,
  WorkflowAuthorization
} from "@leadloom/api/Access"
import { Context, Effect, Layer } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"

/** The gate of an endpoint; an endpoint without one is a defect that `layer` finds before the first request. */
export const gateOf = (endpoint: HttpApiEndpoint.Top): Effect.Effect<GateDeclaration> => {
  const gate = Context.getOrUndefined(endpoint.annotations, Gate)
  return gate === undefined
    ? Effect.die(new Error(`${endpoint.method} ${endpoint.path} has no Gate`))
    : Effect.succeed(gate)
}

/** Who watches the gates of an operation. */
const watcherOf = (operation: GateDeclaration["operation"] | undefined): string => {
  if (operation === "sendEvent") return SourceAuthorization.key
  if (operation === "crmAction") return WorkflowAuthorization.key
  return operation === "mintSession" ? SessionAuthorization.key : Authorization.key
}

/** Every endpoint whose gate is missing or incomplete, or is not watched by the middleware that its operation needs. */
export const gateFaults = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<string> => {
  const faults: Array<string> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, middleware }) => {
      const name = `${endpoint.method} ${endpoint.path}`
      const gate = Context.getOrUndefined(endpoint.annotations, Gate)
      const watchers = Array.from(middleware, (service) => service.key)
      const needed = watcherOf(gate?.operation)
      if (gate === undefined) faults.push(`${name} has no Gate`)
      else if (gate.operation !== "public" && !watchers.includes(needed)) {
        faults.push(`${name} has a Gate that no middleware watches`)
      } else if (gate.operation !== "public" && endpoint.method === "POST" && gate.idempotency === undefined) {
        faults.push(`${name} does not say what an Idempotency-Key does`)
      }
    }
  })
  return faults
}

/** Refuses to build a server with an endpoint that anybody could walk into by oversight. */
export const layer: Layer.Layer<never> = Layer.effectDiscard(
  Effect.suspend(() => {
    const faults = gateFaults(Api)
    return faults.length === 0 ? Effect.void : Effect.die(new Error(faults.join("; ")))
  })
)
