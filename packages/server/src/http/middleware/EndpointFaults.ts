import { ActionValidation, Gate, RequestValidation } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { bodyLimitOf } from "@leadloom/api/internal/BodyLimits"
import { Context, Effect, Layer } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import type { Route } from "./Methods.ts"
import { outsideRoutes } from "../OutsideRoutes.ts"

const validations: ReadonlyArray<string> = [RequestValidation.key, ActionValidation.key]

const faultsOf = (endpoint: HttpApiEndpoint.Top, middleware: ReadonlyArray<string>): ReadonlyArray<string> => {
  const gate = Context.getOrUndefined(endpoint.annotations, Gate)
  const limit = gate === undefined ? null : bodyLimitOf(gate.name)
  return [
    ...(middleware.some((key) => validations.includes(key)) ? [] : ["is not validated"]),
    ...(endpoint.payload.size > 0 && limit === null ? ["reads a body without a limit"] : []),
    ...(endpoint.payload.size === 0 && limit !== null ? ["has a limit for a body that it does not read"] : [])
  ]
}

/**
 * Returns the endpoints with missing limits. Each endpoint needs the validation middleware, which rejects unknown query
 * parameters and limits decoding. Each body needs a limit.
 */
export const endpointFaults = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<string> => {
  const faults: Array<string> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, middleware }) => {
      for (const fault of faultsOf(
        endpoint,
        Array.from(middleware, ({ key }) => key)
      ))
        faults.push(`${endpoint.method} ${endpoint.path} ${fault}`)
    }
  })
  return faults
}

/** Returns routes outside the contract that read a body without a limit. */
export const outsideFaults = (routes: ReadonlyArray<Route> = outsideRoutes): ReadonlyArray<string> =>
  routes
    .filter(([method, , operation]) => method !== "GET" && bodyLimitOf(operation) === null)
    .map(([method, path]) => `${method} ${path} reads a body without a limit`)

/** Stops the start of the server if a route accepts requests without limits. */
export const layer: Layer.Layer<never> = Layer.effectDiscard(
  Effect.suspend(() => {
    const faults = [...endpointFaults(Api), ...outsideFaults()]
    return faults.length === 0 ? Effect.void : Effect.die(new Error(faults.join("; ")))
  })
)
