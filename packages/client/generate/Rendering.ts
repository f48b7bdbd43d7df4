/**
 * Generates `client/src/operations.ts` from the contract. Runtime code of the client does not belong here. Tests:
 * `packages/client/test/Operations.test.ts`.
 */
import {
  type Document,
  fileType,
  isEventStream,
  isFile,
  jsonBody,
  type JsonSchema,
  type Operation,
  type Parameter,
  referencesIn
} from "./Document.ts"
import { comment, declaration, typeText } from "./TypeText.ts"

interface Method {
  readonly group: string
  readonly name: string
  readonly verb: string
  readonly path: string
  readonly operation: Operation
}

const header = `// Generated from the contract by \`npm run generate\`. Do not edit.
import { type Call, type ConditionalOptions, type Follow, type IdempotentOptions, type RequestOptions, segment, type ServerEvent, type StreamOptions } from "./Request.ts"
`

const camelCase = (name: string): string =>
  name.replaceAll(/[_-](?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase())
const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const methodsOf = (document: Document): ReadonlyArray<Method> =>
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, operation]) => operation["x-outside-contract"] !== true)
      .map(([verb, operation]) => {
        const [group = "", name = ""] = operation.operationId.split(".")
        return { group, name, verb: verb.toUpperCase(), path, operation }
      })
  )

const parametersIn = (method: Method, place: string): ReadonlyArray<Parameter> =>
  (method.operation.parameters ?? []).filter((parameter) => parameter.in === place)

const successOf = ({ operation }: Method) =>
  Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1]

const answerOf = (method: Method): JsonSchema | null => jsonBody(successOf(method))

/**
 * Returns the options type that a method extends. It includes an idempotency key only if the operation supports one.
 */
const baseOptionsOf = (method: Method): string => {
  if (isEventStream(successOf(method))) return "StreamOptions"
  const headers = parametersIn(method, "header").map(({ name }) => name)
  if (headers.includes("if-match")) return "ConditionalOptions"
  return headers.includes("idempotency-key") ? "IdempotentOptions" : "RequestOptions"
}

/** Returns the name and source of the options type: query parameters and common options. */
const optionsOf = (method: Method): { readonly name: string; readonly text: string } => {
  const query = parametersIn(method, "query")
  if (query.length === 0) return { name: baseOptionsOf(method), text: "" }
  const name = `${pascalCase(method.group)}${pascalCase(method.name)}Options`
  const lines = query.map((parameter) => {
    const about = comment(parameter.description ?? parameter.schema.description, "  ")
    return `${about}  readonly ${camelCase(parameter.name)}?: ${typeText(parameter.schema)} | undefined\n`
  })
  return { name, text: `export interface ${name} extends ${baseOptionsOf(method)} {\n${lines.join("")}}\n` }
}

/** Returns the request flags for a response that is not JSON. */
const answerKinds = (method: Method): ReadonlyArray<string> => {
  if (isEventStream(successOf(method))) return ["events: true"]
  return isFile(successOf(method)) ? ["file: true"] : []
}

const methodText = (method: Method): string => {
  const body = jsonBody(method.operation.requestBody)
  const upload = fileType(method.operation.requestBody)
  const query = parametersIn(method, "query")
  const path = method.path.replaceAll(/\{(?<name>\w+)\}/gu, (_, name: string) => `\${segment(${camelCase(name)})}`)
  const quoted = path.includes("${") ? `\`${path}\`` : JSON.stringify(path)
  const entries = query.map((parameter) => `${JSON.stringify(parameter.name)}: options.${camelCase(parameter.name)}`)
  const request = [
    `method: "${method.verb}"`,
    `path: ${quoted}`,
    ...(query.length === 0 ? [] : [`query: { ${entries.join(", ")} }`]),
    ...(body === null && upload === null ? [] : ["body"]),
    ...(upload === null ? [] : [`upload: ${JSON.stringify(upload)}`]),
    ...answerKinds(method)
  ]
  const parameters = [
    ...parametersIn(method, "path").map((parameter) => `${camelCase(parameter.name)}: string`),
    ...(body === null
      ? []
      : [`body: ${typeText(body, "    ")}${method.operation.requestBody?.required === false ? " = {}" : ""}`]),
    ...(upload === null ? [] : ["body: Uint8Array<ArrayBuffer>"]),
    `options: ${optionsOf(method).name} = {}`
  ]
  const start = `${comment(method.operation.summary, "    ")}    ${method.name}: (${parameters.join(", ")})`
  if (isEventStream(successOf(method))) {
    return `${start}: AsyncGenerator<ServerEvent, void, undefined> =>
      follow({ ${request.join(", ")} }, options)`
  }
  const answer = answerOf(method)
  const nothing = isFile(successOf(method)) ? "Uint8Array" : "void"
  const result = answer === null ? nothing : typeText(answer, "    ")
  return `${start}: Promise<${result}> =>
      call({ ${request.join(", ")} }, options)`
}

const groupText = (document: Document, name: string, all: ReadonlyArray<Method>): string => {
  const methods = all.filter((method) => method.group === name)
  const tag = methods[0]?.operation.tags?.[0]
  const about = document.tags?.find((entry) => entry.name === tag)?.description
  return `${comment(about, "  ")}  ${name}: {\n${methods.map(methodText).join(",\n")}\n  }`
}

/** Returns the named schemas that requests and responses need, sorted by name. */
const reachable = (document: Document, methods: ReadonlyArray<Method>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const follow = (schema: JsonSchema | null): void => {
    for (const name of schema === null ? [] : referencesIn(schema)) {
      if (seen.has(name)) continue
      seen.add(name)
      follow(document.components.schemas[name] ?? null)
    }
  }
  for (const method of methods) {
    follow(jsonBody(method.operation.requestBody))
    follow(answerOf(method))
    for (const parameter of method.operation.parameters ?? []) follow(parameter.schema)
  }
  return [...seen].toSorted()
}

/** Returns the error codes of the contract. */
const errorCodes = (document: Document): ReadonlyArray<string> =>
  Object.values(document.components.schemas)
    .flatMap((schema) => schema.properties?.["error"]?.properties?.["code"]?.enum ?? [])
    .filter((code) => typeof code === "string")
    .toSorted()

/** Codes that no endpoint declares: the server's code for unexpected errors and the client's own codes. */
const otherCodes = [
  "ACTION_FAILED",
  "INTERNAL",
  "METHOD_NOT_ALLOWED",
  "NETWORK_ERROR",
  "PAYLOAD_TOO_LARGE",
  "TIMEOUT",
  "UNEXPECTED_RESPONSE",
  "UNSUPPORTED_MEDIA_TYPE"
]

/**
 * Renders `client/src/operations.ts`: one type per schema, sorted by name, and one method per operation in the order of
 * the document. The output is deterministic.
 */
export const renderOperations = (document: Document): string => {
  const methods = methodsOf(document)
  const groups = [...new Set(methods.map((method) => method.group))]
  const types = reachable(document, methods).map((name) => declaration(name, document.components.schemas[name] ?? {}))
  const options = methods.map((method) => optionsOf(method).text).filter((text) => text !== "")
  const codes = [...new Set([...errorCodes(document), ...otherCodes])]
    .toSorted()
    .map((code) => `  | ${JSON.stringify(code)}\n`)
  return [
    header,
    `/** The error code. A newer server may use codes that are not listed here. */\nexport type ErrorCode =\n${codes.join("")}  | (string & {})\n`,
    ...types,
    ...options,
    `/** All operations of the API. */\nexport type Operations = ReturnType<typeof operations>\n`,
    `/** Creates the operations on top of functions that send requests. */\nexport const operations = (call: Call, follow: Follow) => ({\n${groups.map((group) => groupText(document, group, methods)).join(",\n")}\n})\n`
  ].join("\n")
}
