import type { Api } from "@leadloom/api/internal/Api"
import type { RawOperation } from "@leadloom/core/internal/domain/access/Operations"
import { FindMyWay, type HttpRouter } from "effect/http"
import { HttpApi } from "effect/http-api"

/**
 * The options of the router. The operation table below uses them too, so that both match a path in the same way. The
 * longest parameter is the token of a link.
 */
export const routerConfig = { caseSensitive: true, maxParamLength: 1_024 } as const

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** Returns the methods of a path; empty for an unknown path. */
export type AllowedMethods = (url: string) => ReadonlyArray<string>

const isPath = (path: string): path is HttpRouter.PathInput & `/${string}` => path.startsWith("/")

/** A route outside the contract, with its row of the permission matrix. */
export type Route = readonly [method: (typeof methods)[number], path: string, operation: RawOperation]

/** A path that the server serves, with a name for it. Pages of the console have no row in the permission matrix. */
export type ServedPath = readonly [method: (typeof methods)[number], path: string, name: string]

/** Maps methods and paths to operation names, for the contract and for the routes outside it. */
const operationTable = (api: typeof Api, beside: ReadonlyArray<ServedPath>) => {
  const table = FindMyWay.make<string>(routerConfig)
  const add = (method: (typeof methods)[number], path: string, operation: string) => {
    if (isPath(path)) table.on(method, path, operation)
  }
  for (const [method, path, operation] of beside) add(method, path, operation)
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const method = methods.find((known) => known === endpoint.method)
      if (method !== undefined) add(method, endpoint.path, `${group.identifier}.${endpoint.identifier}`)
    }
  })
  return table
}

/**
 * Returns the methods of every path. The router alone cannot distinguish an unknown path from an unsupported method.
 */
export const allowedMethods = (api: typeof Api, beside: ReadonlyArray<ServedPath>): AllowedMethods => {
  const table = operationTable(api, beside)
  return (url) => {
    const found: ReadonlyArray<string> = methods.filter((method) => table.find(method, url) !== undefined)
    return found.length === 0 ? [] : [...found, ...(found.includes("GET") ? ["HEAD"] : []), "OPTIONS"]
  }
}

/** The operation of a request, as `group.endpoint`, and the tenant in its path. */
export interface FoundOperation {
  readonly name: string
  readonly tenantId: string | null
}

/** Returns the operation of a request; null if there is none. */
export type FindOperation = (method: string, url: string) => FoundOperation | null

/** Finds operations of the contract and of the routes outside it. HEAD is treated as GET. */
export const operationFinder = (api: typeof Api, beside: ReadonlyArray<Route>): FindOperation => {
  const table = operationTable(api, beside)
  return (method, url) => {
    const known = methods.find((one) => one === (method === "HEAD" ? "GET" : method))
    const found = known === undefined ? undefined : table.find(known, url)
    return found === undefined ? null : { name: found.handler, tenantId: found.params["tenant_id"] ?? null }
  }
}

/** Returns the name of a request's operation, as `group.endpoint`; null if there is none. */
export type OperationName = (method: string, url: string) => string | null

/** Finds names of operations. */
export const operationNames = (api: typeof Api, beside: ReadonlyArray<Route>): OperationName => {
  const find = operationFinder(api, beside)
  return (method, url) => find(method, url)?.name ?? null
}
