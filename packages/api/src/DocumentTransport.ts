import { type BodyLimit, bodyLimitOf, formatBytes } from "./BodyLimits.ts"
import { transportCodes } from "./errors.ts"

/** As much of OpenAPI's response object as is written here. */
export interface DocumentedResponse {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: unknown }>
}

/** As much of OpenAPI's operation object as is read and written here. */
export interface DocumentedOperation {
  operationId: string
  deprecated?: boolean
  parameters?: ReadonlyArray<{ readonly name: string }>
  requestBody?: { content?: Record<string, unknown> }
  responses: Record<string, DocumentedResponse>
}

/** Every operation of a document. */
export const operationsOf = (spec: Record<string, unknown>): ReadonlyArray<readonly [string, DocumentedOperation]> =>
  Object.values((spec["paths"] ?? {}) as Record<string, Record<string, DocumentedOperation>>).flatMap((path) =>
    Object.entries(path)
  )

/** Failures of the HTTP layer itself, which no endpoint declares, and the names of their schemas. */
const schemaNames = {
  400: "BadRequestError",
  404: "NotFoundError",
  405: "MethodNotAllowedError",
  413: "PayloadTooLargeError",
  415: "UnsupportedMediaTypeError",
  500: "InternalError",
  503: "ServiceUnavailableError"
} as const satisfies Partial<Record<keyof typeof transportCodes, string>>

type Status = keyof typeof schemaNames

const envelopeOf = (status: Status) => ({
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string", enum: [transportCodes[status]] },
        message: { type: "string" },
        details: { type: "object", additionalProperties: {} }
      },
      required: ["code", "message"],
      additionalProperties: false
    }
  },
  required: ["error"],
  additionalProperties: false
})

/** A failure in the error envelope. */
export const failureResponse = (status: Status, description: string): DocumentedResponse => ({
  description,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schemaNames[status]}` } } }
})

const textHeader = (description: string) => ({ description, schema: { type: "string" } })

const wrongMethod: DocumentedResponse = {
  ...failureResponse(405, "Another method than those of this path"),
  headers: { Allow: textHeader("The methods of this path") }
}

/** What every route may answer. */
export const transportResponses = (limit: BodyLimit | null): Readonly<Record<string, DocumentedResponse>> => ({
  405: wrongMethod,
  ...(limit === null
    ? {}
    : {
        400: failureResponse(400, "BadRequest"),
        413: failureResponse(413, `The body is larger than ${formatBytes(limit.bytes)}`)
      }),
  500: failureResponse(500, "An unexpected failure; details.request_id names it in the server's log"),
  503: failureResponse(503, "ServiceUnavailable")
})

const wrongMedia = failureResponse(415, "A body of another media type than those listed")

const notModified: DocumentedResponse = {
  description: "The version that If-None-Match names is still the current one",
  headers: { ETag: textHeader("The current version") }
}

const deprecation = {
  Deprecation: textHeader("When this route became deprecated, as `@` and Unix epoch seconds (RFC 9745)"),
  Link: textHeader("The route to use, with the relation successor-version (RFC 5829)")
}

const hasParameter = ({ parameters }: DocumentedOperation, name: string): boolean =>
  parameters?.some((parameter) => parameter.name === name) ?? false

const documentOperation = (operation: DocumentedOperation): void => {
  const limit = bodyLimitOf(operation.operationId)
  const { responses } = operation
  const added = {
    ...transportResponses(limit),
    ...(operation.requestBody === undefined ? {} : { 415: wrongMedia }),
    ...(hasParameter(operation, "if-none-match") ? { 304: notModified } : {})
  }
  // What the endpoint itself declares says more; only the size of the body is always said.
  for (const [status, response] of Object.entries(added)) {
    if (status === "413" || responses[status] === undefined) responses[status] = response
  }
  if (operation.deprecated !== true) return
  for (const [status, response] of Object.entries(responses))
    if (status.startsWith("2")) Object.assign(response, { headers: { ...response.headers, ...deprecation } })
}

/** Documents what the HTTP layer answers around every endpoint: 304, 405, 413, 415, 500, 503 and `Deprecation`. */
export const documentTransport = (spec: Record<string, unknown>): Record<string, unknown> => {
  for (const [, operation] of operationsOf(spec)) documentOperation(operation)
  const components = (spec["components"] ?? {}) as { readonly schemas?: Record<string, unknown> }
  const statuses = [400, 404, 405, 413, 415, 500, 503] as const
  const schemas = Object.fromEntries(statuses.map((status) => [schemaNames[status], envelopeOf(status)]))
  return { ...spec, components: { ...components, schemas: { ...schemas, ...components.schemas } } }
}

/** A body that is a file: no schema says more of it. */
const binary = { schema: { type: "string", format: "binary" } }

/** Media types that an endpoint answers with beside those that its schema has. */
const furtherAnswers: Readonly<Record<string, ReadonlyArray<string>>> = {
  "guardrails.export": ["application/json", "text/csv"],
  "messages.raw": ["application/json"],
  "attachments.download": ["*/*"],
  "calls.recording": ["*/*"]
}

const page = { schema: { type: "string" } }

/** A form is also submitted by browsers without a script, which send their own media types and show pages. */
const documentForm = ({ requestBody, responses }: DocumentedOperation): void => {
  const content = requestBody?.content ?? {}
  const json = content["application/json"]
  Object.assign(content, { "application/x-www-form-urlencoded": json, "multipart/form-data": json })
  for (const response of Object.values(responses)) Object.assign(response.content ?? {}, { "text/html": page })
  responses["303"] = {
    description: "A browser's form was taken, and the tenant has a page that says thank you",
    headers: { Location: textHeader("That page") }
  }
}

/** Documents the media types that schemas do not tell of. */
export const documentMedia = (spec: Record<string, unknown>): Record<string, unknown> => {
  for (const [, operation] of operationsOf(spec)) {
    const more = furtherAnswers[operation.operationId] ?? []
    const success = operation.responses["200"]?.content ?? {}
    for (const type of more) success[type] = binary
    if (operation.operationId === "publicLeads.submit") documentForm(operation)
  }
  return spec
}
