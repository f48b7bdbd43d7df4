import type { RawOperation } from "@leadloom/core/domain/access/Operations"
import { bodyLimitOf } from "./BodyLimits.ts"
import { type DocumentedResponse, failureResponse, transportResponses } from "./DocumentTransport.ts"

/** A route outside the contract: its shapes are those of a provider, or it describes the contract. */
interface RawRoute {
  readonly method: "get" | "post"
  readonly path: string
  readonly tag: keyof typeof tags
  readonly summary: string
  /** The header that proves who calls. */
  readonly proof?: string
  readonly query?: string
  /** The media type of the body. */
  readonly requestType?: string
  /** The media type of the answer; absent: it is empty. */
  readonly responseType?: string
}

const tags = {
  Documentation: "The contract itself",
  "Provider webhooks": "What providers tell; each proves itself by its signature",
  "Voice assistants": "What voice assistants have done during a call"
} as const

const providers = "/api/v1/webhook/providers"
const json = "application/json"
const form = "application/x-www-form-urlencoded"
const xml = "text/xml"

const provider = (path: string, summary: string, proof: string): RawRoute => ({
  method: "post",
  path: `${providers}/${path}`,
  tag: "Provider webhooks",
  summary,
  proof,
  requestType: json
})

const twilio = (path: string, summary: string): RawRoute => ({
  ...provider(`twilio/${path}`, summary, "X-Twilio-Signature"),
  requestType: form,
  responseType: xml
})

/** Every route outside the contract, by its operation. */
export const documentedRoutes: Readonly<Record<RawOperation, RawRoute>> = {
  "docs.openApi": {
    method: "get",
    path: "/api/v1/openapi.json",
    tag: "Documentation",
    summary: "This document",
    responseType: json
  },
  "docs.page": {
    method: "get",
    path: "/api/v1/docs",
    tag: "Documentation",
    summary: "This document as an interactive page, which works offline",
    responseType: "text/html"
  },
  "nylas.challenge": {
    method: "get",
    path: `${providers}/nylas`,
    tag: "Provider webhooks",
    summary: "Repeat the challenge of Nylas, which so learns that this address listens",
    query: "challenge",
    responseType: "text/plain"
  },
  "nylas.notice": provider("nylas", "Events of connected email accounts", "X-Nylas-Signature"),
  "stripe.notice": provider("stripe", "Events of payments", "Stripe-Signature"),
  "highLevel.notice": provider("highlevel", "Events of the CRM's locations", "X-GHL-Signature"),
  "twilio.text": twilio("sms", "An inbound text"),
  "twilio.textStatus": twilio("status", "The delivery status of an outbound text"),
  "twilio.call": twilio("voice", "An inbound call; the answer is what the caller hears"),
  "twilio.callStatus": twilio("call-status", "The status of a call"),
  "twilio.dialed": twilio("dialed", "The end of a forwarded call"),
  "twilio.recording": twilio("recording", "A recording that is ready"),
  "assistantTools.call": {
    method: "post",
    path: "/api/v1/voice/assistant/{tenant_id}/tools",
    tag: "Voice assistants",
    summary: "Call a tool, or report the end of a call: messages of Vapi and custom functions of Retell",
    proof: "X-Assistant-Secret",
    requestType: json,
    responseType: json
  }
}

const anything = { schema: {} }

const parameter = (name: string, place: string, required: boolean) => ({
  name,
  in: place,
  required,
  schema: { type: "string" }
})

const refusals: Readonly<Record<string, DocumentedResponse>> = {
  401: {
    description: "Unauthorized",
    content: { [json]: { schema: { $ref: "#/components/schemas/UnauthorizedError" } } }
  },
  429: {
    description: "RateLimited",
    content: { [json]: { schema: { $ref: "#/components/schemas/RateLimitedError" } } }
  }
}

/** Headers beside the one documented prove the same; the routes say 401 where none does, so none is required. */
const documentRoute = (operationId: string, route: RawRoute) => {
  const { responseType, path, proof, query, summary, tag, requestType } = route
  const names = Array.from(path.matchAll(/\{(\w+)\}/gu), ([, name = ""]) => parameter(name, "path", true))
  return {
    tags: [tag],
    operationId,
    summary,
    parameters: [
      ...names,
      ...(query === undefined ? [] : [parameter(query, "query", true)]),
      ...(proof === undefined ? [] : [parameter(proof, "header", false)])
    ],
    security: [],
    // A generated client has no use for it.
    "x-outside-contract": true,
    ...(requestType === undefined ? {} : { requestBody: { required: true, content: { [requestType]: anything } } }),
    responses: {
      200: { description: "Taken", ...(responseType === undefined ? {} : { content: { [responseType]: anything } }) },
      ...transportResponses(bodyLimitOf(operationId)),
      400: failureResponse(400, "BadRequest"),
      ...(proof === undefined ? {} : refusals)
    }
  }
}

/** Documents the routes outside the contract: the webhooks of providers, the tools of voice assistants, the documentation. */
export const documentRawRoutes = (spec: Record<string, unknown>): Record<string, unknown> => {
  const paths: Record<string, Record<string, unknown>> = {
    ...(spec["paths"] as Record<string, Record<string, unknown>>)
  }
  for (const [operationId, route] of Object.entries(documentedRoutes))
    paths[route.path] = { ...paths[route.path], [route.method]: documentRoute(operationId, route) }
  const described = Object.entries(tags).map(([name, description]) => ({ name, description }))
  return { ...spec, paths, tags: [...((spec["tags"] ?? []) as ReadonlyArray<unknown>), ...described] }
}
