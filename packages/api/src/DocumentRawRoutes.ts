import type { RawOperation } from "@leadloom/core/internal/domain/access/Operations"
import {
  perSmsOperation,
  type SmsProviderName,
  smsProviders,
  type SmsWebhookDescription
} from "@leadloom/core/internal/domain/provider/SmsProviders"
import { bodyLimitOf } from "./BodyLimits.ts"
import { type DocumentedResponse, failureResponse, transportResponses } from "./DocumentTransport.ts"

/** A route outside the contract. Its format is defined by a provider, or it serves the contract itself. */
interface RawRoute {
  readonly method: "get" | "post" | "delete"
  readonly path: string
  readonly tag: keyof typeof tags
  readonly summary: string
  /** The header that authenticates the caller; null when the proof is in the body. */
  readonly proof?: string | null
  readonly query?: string
  /** Set if the route accepts the credentials of the API. */
  readonly bearer?: true
  /** The media type of the request body. */
  readonly requestType?: string
  /** The media type of the response; absent for an empty response. */
  readonly responseType?: string
  /** Set if a successful response is a redirection. */
  readonly redirects?: true
}

const tags = {
  Documentation: "The contract as a document",
  Unsubscribe: "Links in emails with which recipients opt out",
  "Tracked links": "Links in emails that record that they were opened, with `link_tracking` of the tenant",
  "Provider webhooks": "Webhooks that providers call; each request carries the provider's signature",
  "Voice assistants": "Tool calls and reports of voice assistants",
  MCP: "Tools for language models, in the format of the Model Context Protocol"
} as const

/** The callers of the routes, by tag. */
const descriptions: Readonly<Record<keyof typeof tags, string>> = {
  Documentation: "Callers: No credential is needed.",
  Unsubscribe:
    "Callers: The recipient of an email, or the mail program (RFC 8058). The sealed token is the proof. The link does not expire.",
  "Tracked links":
    "Callers: The recipient of an email, or a program that checks links. The random token is the proof. HEAD records nothing.",
  "Provider webhooks":
    "Callers: The provider, which signs its requests. The provider defines the body; the connection of a tenant's account sets up this URL.",
  "Voice assistants":
    "Callers: The voice assistant, with the tenant's secret or the provider's signature. The provider of the assistant defines the body.",
  MCP: "Callers: MCP clients with a credential of the API. Disabled unless the operator sets `LEADLOOM_MCP`. The protocol defines the body."
}

const providers = "/api/v1/webhook/providers"
const json = "application/json"
const form = "application/x-www-form-urlencoded"
const xml = "text/xml"
const html = "text/html"

const provider = (path: string, summary: string, proof: string | null): RawRoute => ({
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

const sms = (name: SmsProviderName, kind: "text" | "textStatus"): RawRoute => {
  const { body, response, signatureHeader }: SmsWebhookDescription = smsProviders[name]
  const summary =
    kind === "text" ? "Receive an inbound text message" : "Receive the delivery status of an outbound text message"
  return {
    ...provider(`${name}/${kind === "text" ? "sms" : "status"}`, summary, signatureHeader),
    ...({ form: { requestType: form }, json: {} } as const)[body],
    ...({ twiml: { responseType: xml }, empty: {} } as const)[response]
  }
}

const unsubscribe = {
  path: "/api/v1/public/unsubscribe/{token}",
  tag: "Unsubscribe",
  responseType: "text/html"
} as const

/** All routes outside the contract, by operation. */
export const documentedRoutes: Readonly<Record<RawOperation, RawRoute>> = {
  "docs.openApi": {
    method: "get",
    path: "/api/v1/openapi.json",
    tag: "Documentation",
    summary: "This document",
    responseType: json
  },
  "docs.rootOpenApi": {
    method: "get",
    path: "/openapi.json",
    tag: "Documentation",
    summary: "This document, at the place where tools look for it",
    responseType: json
  },
  "docs.page": {
    method: "get",
    path: "/api/v1/docs",
    tag: "Documentation",
    summary: "Show this document as a page with search, examples and requests; it works offline",
    responseType: "text/html"
  },
  "unsubscribe.page": {
    ...unsubscribe,
    method: "get",
    summary: "Show the page on which the recipient of an email opts out. Changes nothing"
  },
  "unsubscribe.confirm": {
    ...unsubscribe,
    method: "post",
    summary:
      "Opt the recipient of an email out of all emails of the tenant. The body is ignored, and a repetition has no effect"
  },
  "trackedLinks.open": {
    method: "get",
    path: "/api/v1/public/links/{token}",
    tag: "Tracked links",
    summary: "Redirect to the URL of a link in an email, and record that it was opened",
    redirects: true
  },
  "nylas.challenge": {
    method: "get",
    path: `${providers}/nylas`,
    tag: "Provider webhooks",
    summary: "Return the challenge of Nylas, which proves that this endpoint exists",
    query: "challenge",
    responseType: "text/plain"
  },
  "nylas.notice": provider("nylas", "Receive events of connected email accounts", "X-Nylas-Signature"),
  "stripe.notice": provider("stripe", "Receive payment events", "Stripe-Signature"),
  "highLevel.notice": provider("highlevel", "Receive events of CRM locations", "X-GHL-Signature"),
  ...perSmsOperation(sms),
  "twilio.call": twilio("voice", "Receive an inbound call; the response is TwiML for the caller"),
  "twilio.callStatus": twilio("call-status", "Receive the status of a call"),
  "twilio.dialed": twilio("dialed", "Receive the end of a forwarded call"),
  "twilio.recording": twilio("recording", "Receive a completed recording"),
  "assistantTools.call": {
    method: "post",
    path: "/api/v1/voice/assistant/{tenant_id}/tools",
    tag: "Voice assistants",
    summary:
      "Call a tool or report the end of a call; accepts Vapi messages, Retell custom functions and Retell call events",
    proof: "X-Assistant-Secret",
    requestType: json,
    responseType: json
  },
  "mcp.call": {
    method: "post",
    path: "/mcp",
    tag: "MCP",
    summary: "Call a tool or list the tools that the credential permits (streamable HTTP)",
    bearer: true,
    query: "tenant_id",
    requestType: json,
    responseType: json
  },
  "mcp.endSession": {
    method: "delete",
    path: "/mcp",
    tag: "MCP",
    summary: "End a session of an MCP client",
    bearer: true,
    query: "tenant_id"
  }
}

const anything = { schema: {} }

const parameterTexts: Readonly<Record<string, string>> = {
  challenge: "A text that the response repeats unchanged",
  token: "The sealed token in the link of the email",
  tenant_id: "The tenant of the request",
  "X-Assistant-Secret": "The secret of the tenant's voice assistants. Retell signs with its own key instead"
}

const parameter = (name: string, place: string, required: boolean) => ({
  name,
  in: place,
  required,
  description: parameterTexts[name] ?? "The provider's signature over the request",
  schema: { type: "string" }
})

const forbidden: Readonly<Record<string, DocumentedResponse>> = {
  403: {
    description: "`FORBIDDEN`: The credential lacks the permission, or the request comes from a web page",
    content: { [json]: { schema: { $ref: "#/components/schemas/ForbiddenError" } } }
  }
}

const refusals: Readonly<Record<string, DocumentedResponse>> = {
  401: {
    description: "`UNAUTHORIZED`: The credential or the signature is missing or invalid",
    content: { [json]: { schema: { $ref: "#/components/schemas/UnauthorizedError" } } }
  },
  429: {
    description: "`RATE_LIMITED`: A rate limit is exceeded. Retry-After contains the waiting time in seconds",
    content: { [json]: { schema: { $ref: "#/components/schemas/RateLimitedError" } } }
  }
}

/** The responses to an invalid link. Browsers receive a page. */
const linkRefusals: Readonly<Record<string, DocumentedResponse>> = {
  404: {
    description: "`NOT_FOUND`: The link is not valid",
    content: { [json]: { schema: { $ref: "#/components/schemas/NotFoundError" } }, [html]: anything }
  },
  429: {
    description: "`RATE_LIMITED`: The network of the caller has sent too many invalid links",
    content: { [json]: { schema: { $ref: "#/components/schemas/RateLimitedError" } }, [html]: anything }
  }
}

const statusOf = ({ method, redirects }: RawRoute): number =>
  redirects === true ? 302 : method === "delete" ? 204 : 200

const successes = (route: RawRoute): Readonly<Record<string, DocumentedResponse>> => ({
  [statusOf(route)]: {
    description: route.redirects === true ? "The URL is in Location" : "Accepted",
    ...(route.responseType === undefined ? {} : { content: { [route.responseType]: anything } })
  },
  ...(route.bearer === true && route.method === "post" ? { 202: { description: "The notification was accepted" } } : {})
})

/**
 * The document marks the header in `proof` as optional, because some providers authenticate with one of several
 * headers. A request without any of these headers receives 401.
 */
const documentRoute = (operationId: string, route: RawRoute) => {
  const { bearer, path, proof, query, summary, tag, requestType } = route
  const names = Array.from(path.matchAll(/\{(\w+)\}/gu), ([, name = ""]) => parameter(name, "path", true))
  return {
    tags: [tag],
    operationId,
    summary,
    description: descriptions[tag],
    parameters: [
      ...names,
      ...(query === undefined ? [] : [parameter(query, "query", bearer === undefined)]),
      ...(typeof proof === "string" ? [parameter(proof, "header", false)] : [])
    ],
    security: bearer === undefined ? [] : [{ bearer: [] }],
    // Marks the operation as outside the contract, so that client generators leave it out.
    "x-outside-contract": true,
    ...(requestType === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            description: "The event in the format of the provider",
            content: { [requestType]: anything }
          }
        }),
    responses: {
      ...successes(route),
      ...transportResponses(bodyLimitOf(operationId)),
      400: failureResponse(400, "`BAD_REQUEST`: The request does not match the contract"),
      ...(proof === undefined && bearer === undefined ? {} : refusals),
      ...(bearer === undefined ? {} : forbidden),
      ...(route.tag === "Unsubscribe" || route.tag === "Tracked links" ? linkRefusals : {})
    }
  }
}

/** Documents the routes outside the contract: provider webhooks, assistant tools and the documentation. */
export const documentRawRoutes = (spec: Record<string, unknown>): Record<string, unknown> => {
  const paths: Record<string, Record<string, unknown>> = {
    ...(spec["paths"] as Record<string, Record<string, unknown>>)
  }
  for (const [operationId, route] of Object.entries(documentedRoutes))
    paths[route.path] = { ...paths[route.path], [route.method]: documentRoute(operationId, route) }
  const described = Object.entries(tags).map(([name, description]) => ({ name, description }))
  return { ...spec, paths, tags: [...((spec["tags"] ?? []) as ReadonlyArray<unknown>), ...described] }
}
