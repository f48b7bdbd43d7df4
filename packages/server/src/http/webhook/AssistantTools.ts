import { readRetell } from "@leadloom/connectors/internal/assistant/RetellMessage"
import { isRetellSigned, retellSignatureHeader } from "@leadloom/connectors/internal/assistant/RetellSignature"
import { readVapi, vapiResult } from "@leadloom/connectors/internal/assistant/VapiMessage"
import type {
  AssistantCall,
  AssistantReport,
  ToolAnswer,
  ToolCall
} from "@leadloom/core/internal/domain/assistant/ToolCall"
import { answerTool } from "@leadloom/core/internal/workflow/assistant/AnswerTool"
import { authenticateAssistant } from "@leadloom/core/internal/workflow/assistant/AuthenticateAssistant"
import { ingestReport } from "@leadloom/core/internal/workflow/assistant/IngestReport"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Cause, Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refuseCredential } from "../middleware/Authorization.ts"
import { failure, failureOf } from "../error/Failure.ts"
import type { Route } from "../middleware/Methods.ts"
import { shapeOf } from "../validation/BodyShape.ts"
import { log } from "../../LogEvents.ts"

/** The path of tool calls by voice assistants. */
export const assistantPath = "/api/v1/voice/assistant/:tenant_id/tools"

/** Routes for voice assistants. They are outside the contract, because the platforms define their formats. */
export const assistantRoutes: ReadonlyArray<Route> = [["POST", assistantPath, "assistantTools.call"]]

const tooBusy = failureOf(503, { headers: { "retry-after": "1" } })

const bearerOf = (header: string | undefined): string | null =>
  /^Bearer (\S+)$/iu.exec(header?.trim() ?? "")?.[1] ?? null

const refuse = (proof: string) =>
  refuseCredential(proof).pipe(
    Effect.catchTags({
      Unauthorized: () =>
        Effect.succeed(
          failure({ status: 401, message: "The assistant secret in X-Assistant-Secret is missing or invalid." })
        ),
      RateLimited: () =>
        Effect.succeed(
          failure({ status: 429, message: "Too many invalid secrets from this network. Try again later." })
        )
    })
  )

const notConfigured = failure({
  status: 503,
  message: "This tenant has no assistant secret. Create one with PUT /api/v1/tenants/{tenant_id}/assistant/secret"
})

const failureMessage = "Something went wrong. Tell the caller that somebody will call back."

/**
 * Runs one tool call. Every failure becomes a sentence for the assistant. An interruption is not a failure: the caller
 * hung up, or the server stops. Stored results remain, and a repeated call receives them.
 */
const attempt = (tenant: Tenant, call: AssistantCall, tool: ToolCall) =>
  answerTool(tenant, call, tool).pipe(
    Effect.map((answer): ToolAnswer | { readonly error: string } => answer),
    Effect.catchTag("ToolRefused", ({ reason }) => Effect.succeed({ error: reason })),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.as(log("tool.failed", {}, cause), { error: failureMessage })
    ),
    Effect.annotateLogs({ tenant: tenant.tenantId, platform: call.platform })
  )

const keepReport = (tenant: Tenant, report: AssistantReport) =>
  Effect.as(ingestReport(tenant, report), HttpServerResponse.jsonUnsafe({}))

const answerVapi = (tenant: Tenant, json: unknown) => {
  const message = readVapi(json)
  if (message === null) return null
  if (message._tag === "CallEnded") return keepReport(tenant, message.report)
  if (message._tag === "Ignored") return Effect.succeed(HttpServerResponse.jsonUnsafe({}))
  const results = Effect.forEach(message.tools, (tool) =>
    Effect.map(attempt(tenant, message.call, tool), (answer) => vapiResult(tool, answer))
  )
  return Effect.map(results, (all) => HttpServerResponse.jsonUnsafe({ results: all }))
}

const answerRetell = (tenant: Tenant, json: unknown) => {
  const message = readRetell(json)
  if (message === null) return null
  if (message._tag === "CallEnded") return keepReport(tenant, message.report)
  const [tool] = message._tag === "ToolCalls" ? message.tools : []
  if (message._tag === "Ignored" || tool === undefined) return Effect.succeed(HttpServerResponse.jsonUnsafe({}))
  return Effect.map(attempt(tenant, message.call, tool), (answer) =>
    HttpServerResponse.jsonUnsafe("error" in answer ? answer : { result: answer.text, ...answer.facts })
  )
}

/**
 * The maximum number of values in a message. A transcript with the time of each word has about four values per word.
 * The limit therefore permits a call of about ten hours, although a body of 4 MiB ends earlier. Parsing takes about
 * 60 ms at this limit.
 */
const maxValues = 400_000

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const badBody = failure({
  status: 400,
  message: "Expected a message of Vapi's server URL or of a custom function of Retell."
})

const tooManyValues = failure({ status: 400, message: `Expected at most ${maxValues} values.` })

const receive = Effect.gen(function* () {
  const { tenant_id = "" } = yield* HttpRouter.params
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = new Uint8Array(yield* request.arrayBuffer)
  const { headers } = request
  const secret = headers["x-assistant-secret"] ?? headers["x-vapi-secret"] ?? bearerOf(headers["authorization"])
  const signature = headers[retellSignatureHeader] ?? null
  const now = yield* Clock.currentTimeMillis
  const isSigned = signature === null ? null : (key: string) => isRetellSigned(key, body, signature, now)
  const tenant = yield* authenticateAssistant(tenant_id, { secret, isSigned }).pipe(
    Effect.catchTags({
      // The response does not reveal whether a tenant exists.
      TenantNotFound: () => Effect.succeed(notConfigured),
      AssistantNotConfigured: () => Effect.succeed(notConfigured),
      AssistantRefused: () => refuse(secret ?? signature ?? "")
    })
  )
  if (HttpServerResponse.isHttpServerResponse(tenant)) return tenant
  const text = new TextDecoder().decode(body)
  if (shapeOf(text, maxValues, Number.POSITIVE_INFINITY).values > maxValues) return tooManyValues
  const json = parse(text)
  return yield* answerVapi(tenant, json) ?? answerRetell(tenant, json) ?? Effect.succeed(badBody)
}).pipe(Effect.catchTag("StoreUnavailable", ({ reason }) => Effect.as(log("tool.unavailable", { reason }), tooBusy)))

/** The route for voice assistants. */
export const layer = HttpRouter.use((router) => router.add("POST", assistantPath, receive))
