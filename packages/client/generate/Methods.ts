/** The methods of the client, and the facts of the contract that determine how each request is made. */
import {
  type Document,
  isEventStream,
  isFile,
  jsonBody,
  type JsonSchema,
  type Operation,
  type Parameter,
  resolve
} from "./Document.ts"

export interface Method {
  readonly group: string
  readonly name: string
  readonly verb: string
  readonly path: string
  readonly operation: Operation
}

/** Returns one method per operation, in the order of the document. */
export const methodsOf = (document: Document): ReadonlyArray<Method> =>
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, operation]) => operation["x-outside-contract"] !== true)
      .map(([verb, operation]) => {
        const [group = "", name = ""] = operation.operationId.split(".")
        return { group, name, verb: verb.toUpperCase(), path, operation }
      })
  )

/** Returns the parameters of a method in one place: `path`, `query` or `header`. */
export const parametersIn = ({ operation }: Method, place: string): ReadonlyArray<Parameter> =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place)

/** Returns whether a request header can be sent. */
export const hasHeader = (method: Method, name: string): boolean =>
  parametersIn(method, "header").some((parameter) => parameter.name === name)

/** Returns the content of the response to a successful request. */
export const successOf = ({ operation }: Method) =>
  Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1]

/** Returns the schema of a JSON response, or null for any other response. */
export const answerOf = (method: Method): JsonSchema | null => jsonBody(successOf(method))

/** The format of a response. */
export type AnswerKind = "json" | "file" | "events"

export const answerKindOf = (method: Method): AnswerKind => {
  if (isEventStream(successOf(method))) return "events"
  return isFile(successOf(method)) ? "file" : "json"
}

/**
 * Returns the reason why the client adds no `Idempotency-Key` to a POST; null if it adds one, and for other methods.
 * `read-only`: the operation changes nothing. `natural-key`: the server recognises a repeated message by its own id,
 * which a key would replace. `not-accepted`: the operation accepts no key.
 */
export const keylessOf = (document: Document, method: Method): "read-only" | "not-accepted" | "natural-key" | null => {
  if (method.verb !== "POST") return null
  const gate = document.gates[method.operation.operationId]
  if (gate?.access === "read") return "read-only"
  if (!hasHeader(method, "idempotency-key")) return "not-accepted"
  return gate?.naturalKey === true ? "natural-key" : null
}

/** The position in a list: the parameter that selects the next page, and the fields of the response with the items. */
export interface Paging {
  /** The parameter. The response contains its next value in `next_<parameter>`. */
  readonly cursor: string
  readonly items: ReadonlyArray<{ readonly field: string; readonly schema: JsonSchema }>
}

/** Returns the paging of a method; null if its response has no field `next_<parameter>`. */
export const pagingOf = (document: Document, method: Method): Paging | null => {
  const answer = resolve(document, answerOf(method))
  const body = resolve(document, jsonBody(method.operation.requestBody))
  const parameters = [...parametersIn(method, "query").map(({ name }) => name), ...Object.keys(body?.properties ?? {})]
  const cursor = parameters.find((name) => `next_${name}` in (answer?.properties ?? {}))
  if (cursor === undefined) return null
  const items = Object.entries(answer?.properties ?? {}).flatMap(([field, schema]) =>
    schema.type === "array" && schema.items !== undefined ? [{ field, schema: schema.items }] : []
  )
  return { cursor, items }
}

/**
 * Returns the schema that a JSON merge patch (RFC 7396) changes; null for any other method. The body of such a PATCH
 * has no declared fields, because it is a part of the body that the PUT of the same path accepts.
 */
export const patchedOf = (document: Document, method: Method): JsonSchema | null => {
  const body = resolve(document, jsonBody(method.operation.requestBody))
  const replacing = document.paths[method.path]?.["put"]
  if (method.verb !== "PATCH" || body === null || body.properties !== undefined || replacing === undefined) return null
  return jsonBody(replacing.requestBody)
}

/** Returns the error codes that the responses of an operation declare. */
export const errorCodesOf = (document: Document, { operation }: Method): ReadonlyArray<string> => {
  const schemas = Object.entries(operation.responses).flatMap(([status, content]) => {
    const schema = status.startsWith("2") ? null : jsonBody(content)
    return schema === null ? [] : (schema.anyOf ?? [schema])
  })
  const codes = schemas.flatMap((schema) => codesOfError(resolve(document, schema)))
  return [...new Set(codes)].toSorted()
}

/** Returns the codes of an error schema. The envelope of the standalone actions has no code. */
export const codesOfError = (schema: JsonSchema | null): ReadonlyArray<string> => {
  const error = schema?.properties?.["error"]
  if (error?.type === "string" && schema?.properties?.["success"] !== undefined) return ["ACTION_FAILED"]
  return (error?.properties?.["code"]?.enum ?? []).filter((code) => typeof code === "string")
}
