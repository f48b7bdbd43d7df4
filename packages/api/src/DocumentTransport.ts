import { type BodyLimit, bodyLimitOf, formatBytes } from "./BodyLimits.ts"
import { transportCodes } from "./errors.ts"
import { envelopeTexts } from "./ErrorTexts.ts"

/** The part of OpenAPI's response object used here. */
export interface DocumentedResponse {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: unknown }>
}

/** The part of OpenAPI's operation object used here. */
export interface DocumentedOperation {
  operationId: string
  summary?: string
  description?: string
  deprecated?: boolean
  parameters?: ReadonlyArray<{ readonly name: string }>
  requestBody?: { content?: Record<string, unknown> }
  responses: Record<string, DocumentedResponse>
}

/** Returns every operation of a document. */
export const operationsOf = (spec: Record<string, unknown>): ReadonlyArray<readonly [string, DocumentedOperation]> =>
  Object.values((spec["paths"] ?? {}) as Record<string, Record<string, DocumentedOperation>>).flatMap((path) =>
    Object.entries(path)
  )

/** The schema names of the errors that the HTTP layer sends and no endpoint declares. */
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

const meanings: Readonly<Record<Status, string>> = {
  400: "The request does not match the contract",
  404: "The path or the object does not exist",
  405: "The path does not support the method",
  413: "The body exceeds the limit of this endpoint",
  415: "The endpoint does not accept the media type of the body",
  500: "An unexpected failure of the server",
  503: "A required dependency is not configured, or does not answer at the moment"
}

const envelopeOf = (status: Status) => ({
  type: "object",
  description: meanings[status],
  properties: {
    error: {
      type: "object",
      description: envelopeTexts.error,
      properties: {
        code: { type: "string", enum: [transportCodes[status]], description: envelopeTexts.code },
        message: { type: "string", description: envelopeTexts.message },
        details: {
          type: "object",
          description:
            status === 500
              ? "Contains the `request_id`, with which the operator finds the failure in the log"
              : envelopeTexts.details,
          additionalProperties: {}
        }
      },
      required: ["code", "message"],
      additionalProperties: false
    }
  },
  required: ["error"],
  additionalProperties: false
})

/** Returns the description of a failure in the error envelope. */
export const failureResponse = (status: Status, description: string): DocumentedResponse => ({
  description,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schemaNames[status]}` } } }
})

const textHeader = (description: string) => ({ description, schema: { type: "string" } })

const wrongMethod: DocumentedResponse = {
  ...failureResponse(405, "This path does not support the method"),
  headers: { Allow: textHeader("The methods that this path supports") }
}

/** Returns the responses that every route may send. */
export const transportResponses = (limit: BodyLimit | null): Readonly<Record<string, DocumentedResponse>> => ({
  405: wrongMethod,
  ...(limit === null
    ? {}
    : {
        400: failureResponse(400, `\`BAD_REQUEST\`: ${meanings[400]}`),
        413: failureResponse(413, `The body is larger than ${formatBytes(limit.bytes)}`)
      }),
  500: failureResponse(500, "Unexpected failure. Search the server's log for details.request_id"),
  503: failureResponse(503, `\`SERVICE_UNAVAILABLE\`: ${meanings[503]}`)
})

const wrongMedia = failureResponse(415, "The media type of the body is not one of the listed types")

const notModified: DocumentedResponse = {
  description: "The version in If-None-Match is still current",
  headers: { ETag: textHeader("The current version") }
}

const deprecation = {
  Deprecation: textHeader(
    "The time since which this route is deprecated, as `@` followed by Unix epoch seconds (RFC 9745)"
  ),
  Link: textHeader("The route that replaces this one, with the relation successor-version (RFC 5829)")
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
  // An endpoint's own description of a status is more precise and is not replaced. The exception is 413, because it
  // states the body limit.
  for (const [status, response] of Object.entries(added)) {
    if (status === "413" || responses[status] === undefined) responses[status] = response
  }
  if (operation.deprecated !== true) return
  for (const [status, response] of Object.entries(responses))
    if (status.startsWith("2")) Object.assign(response, { headers: { ...response.headers, ...deprecation } })
}

/** Documents the responses of the HTTP layer for every endpoint: 304, 405, 413, 415, 500, 503 and `Deprecation`. */
export const documentTransport = (spec: Record<string, unknown>): Record<string, unknown> => {
  for (const [, operation] of operationsOf(spec)) documentOperation(operation)
  const components = (spec["components"] ?? {}) as { readonly schemas?: Record<string, unknown> }
  const statuses = [400, 404, 405, 413, 415, 500, 503] as const
  const schemas = Object.fromEntries(statuses.map((status) => [schemaNames[status], envelopeOf(status)]))
  return { ...spec, components: { ...components, schemas: { ...schemas, ...components.schemas } } }
}

/** The content of a file body. */
const binary = { schema: { type: "string", format: "binary" } }

/** The media types of responses that the schemas of the endpoints do not contain. */
const furtherAnswers: Readonly<Record<string, ReadonlyArray<string>>> = {
  "guardrails.export": ["application/json", "text/csv"],
  "contacts.list": ["text/csv"],
  "contactViews.enriched": ["text/csv"],
  "segments.contacts": ["text/csv"],
  "messages.raw": ["application/json"],
  "attachments.download": ["*/*"],
  "calls.recording": ["*/*"]
}

const page = { schema: { type: "string" } }

/** Adds the media types of submissions from browsers without JavaScript: form bodies and HTML responses. */
const documentForm = ({ requestBody, responses }: DocumentedOperation): void => {
  const content = requestBody?.content ?? {}
  const json = content["application/json"]
  Object.assign(content, { "application/x-www-form-urlencoded": json, "multipart/form-data": json })
  for (const response of Object.values(responses)) Object.assign(response.content ?? {}, { "text/html": page })
  responses["303"] = {
    description: "The form was accepted; the browser is redirected to the tenant's thank-you page",
    headers: { Location: textHeader("The thank-you page") }
  }
}

/** Documents the media types that the schemas do not contain. */
export const documentMedia = (spec: Record<string, unknown>): Record<string, unknown> => {
  for (const [, operation] of operationsOf(spec)) {
    const more = furtherAnswers[operation.operationId] ?? []
    const success = operation.responses["200"]?.content ?? {}
    for (const type of more) success[type] = binary
    if (operation.operationId === "publicLeads.submit") documentForm(operation)
  }
  return spec
}
