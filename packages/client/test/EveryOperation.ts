import { contract } from "../generate/Contract.ts"
import type { Operation } from "../generate/Document.ts"
import { createClient, type Fetch } from "../src/index.ts"

/** An operation of the contract with its path and method. */
export interface Described {
  readonly id: string
  readonly path: string
  readonly verb: string
  readonly operation: Operation
}

/** Returns every operation of the contract that the client has. */
export const described = (): ReadonlyArray<Described> =>
  Object.entries(contract().paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, operation]) => operation["x-outside-contract"] !== true)
      .map(([verb, operation]) => ({ id: operation.operationId, path, verb, operation }))
  )

export const operationIds = (): ReadonlyArray<string> => described().map(({ id }) => id)

const isFunction = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** Returns the methods of a client by the id of their operation. */
export const operationsOf = (fetch: Fetch): ReadonlyMap<string, (...args: ReadonlyArray<unknown>) => unknown> => {
  const groups = Object.entries(createClient({ baseUrl: "http://leads.example.com", fetch, maxRetries: 1 }))
  return new Map(
    groups.flatMap(([group, methods]) =>
      Object.entries(methods).flatMap(([name, method]: [string, unknown]) =>
        isFunction(method) ? [[`${group}.${name}`, method] as const] : []
      )
    )
  )
}

/** Returns arguments for a method: a value per path parameter, a body if there is one, and options. */
export const argumentsOf = ({ operation }: Described, options: unknown): ReadonlyArray<unknown> => [
  ...(operation.parameters ?? []).filter((parameter) => parameter.in === "path").map(({ name }) => `${name}-1`),
  ...(operation.requestBody === undefined ? [] : [{}]),
  options
]
