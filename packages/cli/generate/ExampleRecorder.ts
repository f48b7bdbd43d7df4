import { readFile } from "node:fs/promises"

/** The example of one operation. */
export interface Example {
  /** The path and query parameters by name. */
  readonly parameters: Readonly<Record<string, string>>
  readonly request?: unknown
  readonly status: number
  readonly response?: unknown
}

interface Route {
  readonly operation: string
  readonly method: string
  readonly pattern: RegExp
  readonly names: ReadonlyArray<string>
}

/** A request of the scenario. */
export interface Call {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The content of a file, which is sent instead of JSON. */
  readonly file?: string
  readonly as?: string | undefined
  /** Whether the request is the example of its operation. Default: true */
  readonly keep?: boolean
}

/** Sends requests to the demo and keeps the last successful one of each operation. */
export interface Recorder {
  readonly examples: ReadonlyMap<string, Example>
  /** Calls an operation and returns the JSON of its response. Throws if the operation fails. */
  readonly call: (operation: string, call?: Call) => Promise<Record<string, unknown>>
  /** Records an example that the demo cannot produce, because it needs a provider. */
  readonly add: (operation: string, example: Example) => void | Promise<void>
  /** Returns the operations without an example. */
  readonly missing: () => ReadonlyArray<string>
}

const routesOf = (document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}): ReadonlyArray<Route & { readonly path: string }> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => ({
      operation: operationId,
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/gu, "([^/]+)")}$`, "u"),
      names: Array.from(path.matchAll(/\{(\w+)\}/gu), ([, name = ""]) => name)
    }))
  )

/** Creates a recorder for the server at a URL. */
export const makeRecorder = async (url: string): Promise<Recorder> => {
  const document = JSON.parse(await readFile(new URL("../../api/openapi.json", import.meta.url), "utf8"))
  const routes = routesOf(document)
  const examples = new Map<string, Example>()
  const call = async (operation: string, { as, body, file, keep = true, params = {}, query = {} }: Call = {}) => {
    const route = routes.find((one) => one.operation === operation)
    if (route === undefined) throw new Error(`There is no operation ${operation}.`)
    const path = route.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(params[name] ?? ""))
    const search = new URLSearchParams(query).toString()
    const response = await fetch(`${url}${path}${search === "" ? "" : `?${search}`}`, {
      method: route.method,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(file === undefined ? {} : { "content-type": "application/octet-stream" })
      },
      ...(file === undefined ? {} : { body: file }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${text}`)
    const isJson = (response.headers.get("content-type") ?? "").startsWith("application/json")
    const json: unknown = isJson && text !== "" ? JSON.parse(text) : undefined
    if (keep) {
      examples.set(operation, {
        parameters: { ...params, ...query },
        ...(body === undefined ? {} : { request: body }),
        status: response.status,
        ...(json === undefined ? {} : { response: json })
      })
    }
    return typeof json === "object" && json !== null ? { ...json } : {}
  }
  return {
    examples,
    call,
    add: (operation, example) => void examples.set(operation, example),
    missing: () =>
      routes
        .filter(
          ({ operation }) =>
            !examples.has(operation) && !("x-outside-contract" in (operationOf(document, operation) ?? {}))
        )
        .map(({ operation }) => operation)
  }
}

const operationOf = (
  document: { readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>> },
  id: string
): object | undefined =>
  Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === id)
