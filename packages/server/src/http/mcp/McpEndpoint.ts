import type { GateDeclaration } from "@leadloom/api/internal/Access"
import { version } from "@leadloom/api/internal/Api"
import { bodyLimits, maxBodyDepth } from "@leadloom/api/internal/BodyLimits"
import { operationOf } from "@leadloom/core/internal/domain/access/Operations"
import { type Access, decide, type Operation } from "@leadloom/core/internal/domain/access/Permission"
import { type Principal, principalName } from "@leadloom/core/internal/domain/access/Principal"
import { CurrentCaller, type McpCaller } from "@leadloom/mcp/internal/Caller"
import { httpLayer } from "@leadloom/mcp/internal/Mcp"
import { type Right, rights } from "@leadloom/mcp/internal/Tool"
import { Clock, Effect, Layer, Option, type Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure } from "../error/Failure.ts"
import { actingUserHeader } from "../middleware/ActingUser.ts"
import { admit, tenantOfRequest } from "../middleware/Authorization.ts"
import { ProviderSecrets } from "../middleware/ProviderSecrets.ts"
import { CurrentRequestId } from "../middleware/RequestId.ts"
import { shapeOf } from "../validation/BodyShape.ts"
import { type Connect, connectTo } from "./InProcess.ts"
import { rebindingReason } from "./McpOrigin.ts"
import { mcpPath, mcpRoutes } from "./McpRoutes.ts"
import { makeMcpSessions, type McpSessions, sessionLimits } from "./McpSessions.ts"

type Request = HttpServerRequest.HttpServerRequest

const sessionHeader = "mcp-session-id"

const { access, class: operation, tenant } = operationOf("mcp.call")
const gate: Omit<GateDeclaration, "name"> = { operation, tenant, access, limiter: "admin" }

/** The operation class and access behind each right. */
const requirements: Readonly<Record<Right, readonly [Operation, Access]>> = {
  read: ["agent", "read"],
  messages: ["agent", "write"],
  pipeline: ["pipeline", "write"],
  manage: ["manage", "write"]
}

const rightsOf = (principal: Principal, tenantId: string): ReadonlySet<Right> =>
  new Set(
    rights.filter((right) => {
      const [needed, kind] = requirements[right]
      return decide(principal, needed, tenantId, "path", kind) === "allow"
    })
  )

const bearerOf = ({ headers }: Request): string => /^Bearer +(\S+)$/iu.exec(headers["authorization"] ?? "")?.[1] ?? ""

/** The status of each error of the authorisation. */
const statuses = {
  Unauthorized: 401,
  Forbidden: 403,
  HipaaRestricted: 403,
  NotFound: 404,
  RateLimited: 429,
  ServiceUnavailable: 503
} as const

const refuse = ({ _tag, error }: { readonly _tag: keyof typeof statuses; readonly error: object }) =>
  Effect.succeed(HttpServerResponse.jsonUnsafe({ error }, { status: statuses[_tag] }))

/** The authenticated caller of a request. */
interface Admitted {
  readonly caller: McpCaller
  /** The owner of the caller's sessions. */
  readonly owner: string
}

const admitCaller = Effect.fnUntraced(function* (request: Request, connect: Connect) {
  const credential = bearerOf(request)
  const { principal } = yield* admit(credential, gate)
  const tenantId = yield* tenantOfRequest(gate, principal)
  const address = Option.getOrNull(request.remoteAddress)
  const actingUser = request.headers[actingUserHeader]
  const sender = { credential, actingUser, address, requestId: yield* CurrentRequestId }
  const caller: McpCaller = {
    tenantId,
    rights: rightsOf(principal, tenantId),
    client: (tool, signal) => connect(sender, tool, signal)
  }
  return { caller, owner: `${principalName(principal)} ${tenantId}` }
})

const unnamedTenant = failure({
  status: 400,
  message: `This credential reaches several tenants. Name one in the URL: ${mcpPath}?tenant_id=<id>.`
})
const unknownSession = failure({
  status: 404,
  message: "Unknown or expired session. Send initialize to start a new one."
})
const tooManySessions = failure({
  status: 503,
  message: "The server has too many MCP sessions. Try again later.",
  headers: { "retry-after": "60" }
})
const limit = bodyLimits["mcp.call"]
const tooManyValues = failure({ status: 400, message: `The body has more than ${limit.values} values.` })

const isTooComplex = (text: string): boolean => {
  const { depth, values } = shapeOf(text, limit.values, maxBodyDepth)
  return values > limit.values || depth > maxBodyDepth
}

/** The protocol: answers requests that the endpoint has admitted. */
type Protocol = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, Request | Scope.Scope>

/** Ends a session in the protocol. */
const endSession = (protocol: Protocol, id: string) => {
  const request = new globalThis.Request(`http://in-process${mcpPath}`, {
    method: "DELETE",
    headers: { [sessionHeader]: id }
  })
  const ended = Effect.provideService(protocol, HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request))
  return Effect.ignore(Effect.scoped(ended))
}

/** Records the session that a response opens, and ends the sessions that it displaces. */
const recordSession = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  { owner }: Admitted,
  sessions: McpSessions,
  protocol: Protocol
) {
  const id = response.headers[sessionHeader]
  if (id === undefined) return response
  const ended = sessions.add(id, owner, yield* Clock.currentTimeMillis)
  yield* Effect.forEach(ended ?? [id], (one) => endSession(protocol, one), { discard: true })
  return ended === null ? tooManySessions : response
})

const answer = Effect.fnUntraced(function* (
  request: Request,
  admitted: Admitted,
  sessions: McpSessions,
  protocol: Protocol
) {
  if (admitted.caller.tenantId === "") return unnamedTenant
  const id = request.headers[sessionHeader]
  if (id !== undefined && !sessions.use(id, admitted.owner, yield* Clock.currentTimeMillis)) return unknownSession
  if (request.method === "POST" && isTooComplex(yield* request.text)) return tooManyValues
  const response = yield* Effect.provideService(protocol, CurrentCaller, admitted.caller)
  if (request.method === "DELETE" && id !== undefined) sessions.remove(id)
  // The protocol sets the header of a new session in a handler of this kind too.
  if (id === undefined) {
    yield* HttpEffect.appendPreResponseHandler((_, final) => recordSession(final, admitted, sessions, protocol))
  }
  return response
})

const makeProtocol = Effect.gen(function* () {
  const { publicUrl } = yield* ProviderSecrets
  const origin = publicUrl === null ? undefined : URL.parse(publicUrl)?.origin
  const layer = httpLayer({ path: mcpPath, version, allowedOrigins: origin === undefined ? [] : [origin] })
  // The protocol has a router of its own, so that every request passes the admission first.
  const router = yield* HttpRouter.make
  // The options are constant, so a mistake in them is a defect.
  yield* Effect.orDie(Layer.build(Layer.provide(layer, Layer.succeed(HttpRouter.HttpRouter, router))))
  return router.asHttpEffect()
})

const rejectRebinding = (reason: string) =>
  HttpServerResponse.jsonUnsafe({ error: { code: "FORBIDDEN", message: reason } }, { status: 403 })

/** The routes of MCP. */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const protocol = yield* makeProtocol
    const connect = yield* connectTo(router)
    const { publicUrl } = yield* ProviderSecrets
    const sessions = makeMcpSessions(sessionLimits)
    const handle = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { host, origin } = request.headers
      const reason = rebindingReason({ host, origin }, publicUrl)
      if (reason !== null) return rejectRebinding(reason)
      return yield* Effect.matchEffect(admitCaller(request, connect), {
        onFailure: refuse,
        onSuccess: (admitted) => answer(request, admitted, sessions, protocol)
      })
    })
    for (const [method, path] of mcpRoutes) yield* router.add(method, path, handle)
  })
)
