import { Api } from "@leadloom/api/internal/Api"
import {
  Authorization,
  Gate,
  type GateDeclaration,
  SessionAuthorization,
  SourceAuthorization,
  WorkflowAuthorization
} from "@leadloom/api/internal/Access"
import { keyErrors } from "@leadloom/api/internal/errors"
import { Context, Effect, Layer } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"

/** Returns the gate of an endpoint. A missing gate is a defect, which `layer` detects at startup. */
export const gateOf = (endpoint: HttpApiEndpoint.Top): Effect.Effect<GateDeclaration> => {
  const gate = Context.getOrUndefined(endpoint.annotations, Gate)
  return gate === undefined
    ? Effect.die(new Error(`${endpoint.method} ${endpoint.path} has no Gate`))
    : Effect.succeed(gate)
}

/** Returns the name of the middleware that must check the gate of an operation of this class. */
const watcherOf = (operation: GateDeclaration["operation"]): string => {
  if (operation === "sendEvent") return SourceAuthorization.key
  if (operation === "crmAction") return WorkflowAuthorization.key
  return operation === "mintSession" ? SessionAuthorization.key : Authorization.key
}

interface Declared {
  /** The name of the operation, as `group.endpoint`. */
  readonly name: string
  readonly endpoint: HttpApiEndpoint.Top
  readonly watchers: ReadonlyArray<string>
}

/** Returns the contradictions between an endpoint and the row of its operation in the permission matrix. */
const rowFaults = (gate: GateDeclaration, { endpoint, name }: Declared): ReadonlyArray<string> => {
  const named = endpoint.path.includes("/:tenant_id")
  return [
    ...(gate.name === name ? [] : [`has the Gate of ${gate.name}`]),
    ...(named === (gate.tenant === "path")
      ? []
      : [`${named ? "contains" : "lacks"} :tenant_id in its path, but its Gate declares the tenant "${gate.tenant}"`]),
    ...(endpoint.method !== "GET" || gate.access === "read" ? [] : ["is a GET that writes"])
  ]
}

/**
 * Returns the missing declarations of a POST that must be safe to repeat: the storage of its idempotency key, the
 * header, and the errors of a key.
 */
const keyFaults = (gate: GateDeclaration, { endpoint }: Declared): ReadonlyArray<string> => {
  if (endpoint.method !== "POST") return []
  const errors = new Set(Array.from(endpoint.error, ({ ast }) => ast.annotations?.["identifier"]))
  const fields = endpoint.headers?.ast._tag === "Objects" ? endpoint.headers.ast.propertySignatures : []
  return [
    ...(gate.idempotency === undefined ? ["does not declare how it stores its Idempotency-Key"] : []),
    ...(fields.some(({ name }) => name === "idempotency-key") ? [] : ["does not declare the header Idempotency-Key"]),
    ...(keyErrors.every(({ ast }) => errors.has(ast.annotations?.["identifier"]))
      ? []
      : ["does not declare the errors of an Idempotency-Key"])
  ]
}

const faultsOf = (gate: GateDeclaration | undefined, declared: Declared): ReadonlyArray<string> => {
  if (gate === undefined) return ["has no Gate"]
  const wrong = [...rowFaults(gate, declared), ...keyFaults(gate, declared)]
  if (wrong.length > 0 || gate.operation === "public") return wrong
  return declared.watchers.includes(watcherOf(gate.operation)) ? [] : ["has a Gate that no middleware checks"]
}

/**
 * Returns the endpoints with a wrong gate: missing, incomplete, of another operation, or not checked by the right
 * middleware.
 */
export const gateFaults = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<string> => {
  const faults: Array<string> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group, middleware }) => {
      const watchers = Array.from(middleware, (service) => service.key)
      const declared = { name: `${group.identifier}.${endpoint.identifier}`, endpoint, watchers }
      const gate = Context.getOrUndefined(endpoint.annotations, Gate)
      for (const fault of faultsOf(gate, declared)) faults.push(`${endpoint.method} ${endpoint.path} ${fault}`)
    }
  })
  return faults
}

/** Stops the start of the server if an endpoint lacks authorisation. */
export const layer: Layer.Layer<never> = Layer.effectDiscard(
  Effect.suspend(() => {
    const faults = gateFaults(Api)
    return faults.length === 0 ? Effect.void : Effect.die(new Error(faults.join("; ")))
  })
)
