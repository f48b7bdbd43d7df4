import { Api } from "@leadloom/api/Api"
import { formatBytes } from "@leadloom/api/BodyLimits"
import { Randomness } from "@leadloom/core/port/system/Ids"
import { ByteSize, Cause, Clock, Effect, Option } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { maxBodyBytes, timeoutSecondsOf } from "./Bounds.ts"
import { clientAddress, type IsTrusted, TrustedProxies } from "./ClientAddress.ts"
import { outsideRoutes } from "../OutsideRoutes.ts"
import { failure, failureOf } from "../error/Failure.ts"
import { normalizeMediaType } from "./MediaType.ts"
import { type AllowedMethods, allowedMethods } from "./Methods.ts"
import { CurrentRequestId, requestIdOf } from "./RequestId.ts"
import { logRequest } from "./RequestLog.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** An answer, and why it is one of ours where nobody had foreseen it. */
interface Settled {
  readonly response: Response
  readonly cause: Cause.Cause<unknown> | null
}

const settled = (response: Response, cause: Cause.Cause<unknown> | null = null): Settled => ({ response, cause })

/** No answer holds anything that a browser or a cache in between should keep, run or frame. */
const guards = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
}

/** The request as it would be without the proxies between. */
const fromClient = (request: Request, isTrusted: IsTrusted): Request => {
  if (Option.isNone(request.remoteAddress)) return request
  const address = clientAddress(request.remoteAddress.value, request.headers["x-forwarded-for"], isTrusted)
  return address === request.remoteAddress.value ? request : request.modify({ remoteAddress: Option.some(address) })
}

/**
 * Whether router and everybody else agree where the path of a URL ends. The router ends it also at `;` and `#`, so that
 * what follows would count as path for bounds and as query for the endpoint. Nobody has to send either in a path.
 */
const isPlain = (url: string): boolean => !/^[^?]*[;#]/u.test(url)

/** Without the query, which may hold what belongs in no log. */
const pathOf = (url: string): string => (url.split("?", 1)[0] ?? "").slice(0, 256)

const notRouted = (request: Request, methods: AllowedMethods): Response => {
  const allowed = methods(request.url)
  if (allowed.length === 0) return failureOf(404)
  const allow = allowed.join(", ")
  if (request.method === "OPTIONS") return HttpServerResponse.empty({ status: 204, headers: { allow } })
  return failure({ status: 405, message: `This route knows ${allow}, not ${request.method}.`, headers: { allow } })
}

/** What the answer to a failure depends on beside the request. */
interface Route {
  readonly methods: AllowedMethods
  readonly bodyBytes: number
}

const tooLarge = (bytes: number): Response =>
  failure({ status: 413, message: `The request body is too large: this route reads at most ${formatBytes(bytes)}.` })

const settleCause = (
  cause: Cause.Cause<unknown>,
  request: Request,
  requestId: string,
  { bodyBytes, methods }: Route
): Settled => {
  if (Cause.hasInterruptsOnly(cause)) return settled(failureOf(503, { headers: { "retry-after": "1" } }))
  const error = Cause.squash(cause)
  if (HttpServerError.isHttpServerError(error)) {
    if (error.reason._tag === "RouteNotFound") return settled(notRouted(request, methods))
    if (error.reason._tag === "RequestParseError") {
      return settled(error.reason.reason === "BodyTooLarge" ? tooLarge(bodyBytes) : failureOf(400))
    }
  }
  return settled(failureOf(500, { details: { request_id: requestId } }), cause)
}

/** The framework answers some failures on its own, with an empty body or plain text; pages are ours. */
const settleResponse = (response: Response): Settled =>
  settled(
    response.status >= 400 && !/json|^text\/html/u.test(response.headers["content-type"] ?? "")
      ? failureOf(response.status)
      : response
  )

const isAborted = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) &&
  cause.reasons.some((reason) => reason.annotations.has(HttpServerError.ClientAbort.key))

const timedOut = (seconds: number): Response =>
  failure({
    status: 503,
    message: `The request was given up after ${seconds} s.`,
    headers: { "retry-after": "1" }
  })

/** The headers that every response carries. A page with needs of its own sets its own policy. */
const finish = (response: Response, requestId: string): Response =>
  HttpServerResponse.setHeaders(response, {
    ...guards,
    ...response.headers,
    "x-request-id": requestId,
    ...(response.status === 401 ? { "www-authenticate": "Bearer" } : {})
  })

/**
 * Around every route: whatever happens, what leaves is a response of the contract with a request id. An unknown route
 * is 404, a wrong method 405, too large a body 413, another media type 415, a defect 500, a request that takes too long
 * or is cut off by the server's end 503.
 */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const randomness = yield* Randomness
    const { isTrusted } = yield* TrustedProxies
    const methods = allowedMethods(Api, outsideRoutes)
    const maxBytes = maxBodyBytes()
    return (next) =>
      Effect.gen(function* () {
        const request = fromClient(yield* HttpServerRequest.HttpServerRequest, isTrusted)
        const startedAt = yield* Clock.currentTimeMillis
        const requestId = requestIdOf(request.headers["x-request-id"], randomness)
        const path = pathOf(request.url)
        const bodyBytes = maxBytes(request.method, request.url)
        const timeoutSeconds = timeoutSecondsOf(path)
        const answered = isPlain(request.url) ? next : Effect.succeed(failureOf(404))
        return yield* answered.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, normalizeMediaType(request)),
          Effect.provideService(CurrentRequestId, requestId),
          Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(bodyBytes)),
          Effect.timeoutOrElse({
            duration: `${timeoutSeconds} seconds`,
            orElse: () => Effect.succeed(timedOut(timeoutSeconds))
          }),
          // The server runs requests uninterruptibly; a client that hangs up and a shutdown have to reach the handler.
          Effect.interruptible,
          Effect.matchCauseEffect({
            onSuccess: (response) => Effect.succeed(settleResponse(response)),
            onFailure: (cause) =>
              // Nobody is listening any more; the runtime takes note of it.
              isAborted(cause)
                ? Effect.failCause(cause)
                : Effect.succeed(settleCause(cause, request, requestId, { methods, bodyBytes }))
          }),
          Effect.tap(({ cause, response }) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) =>
              logRequest({
                method: request.method,
                path,
                client: Option.getOrNull(request.remoteAddress),
                status: response.status,
                durationMillis: now - startedAt,
                cause
              })
            )
          ),
          Effect.map(({ response }) => finish(response, requestId)),
          Effect.annotateLogs({ request_id: requestId })
        )
      })
  }),
  { global: true }
)
