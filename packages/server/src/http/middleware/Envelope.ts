import { Api } from "@leadloom/api/internal/Api"
import { formatBytes } from "@leadloom/api/internal/BodyLimits"
import { Randomness } from "@leadloom/core/internal/port/system/Ids"
import { ByteSize, Cause, Clock, Context, Effect, Option, References } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { maxBodyBytes, timeoutSecondsOf } from "./Bounds.ts"
import * as Cors from "./browser/Cors.ts"
import { CurrentPage, pageOf } from "./browser/Page.ts"
import { consolePaths } from "../ConsolePaths.ts"
import { clientAddress, type IsTrusted, TrustedProxies } from "./ClientAddress.ts"
import { outsideRoutes } from "../OutsideRoutes.ts"
import { encodeText } from "./EncodedText.ts"
import { failure, failureOf } from "../error/Failure.ts"
import { normalizeMediaType } from "./MediaType.ts"
import { type AllowedMethods, allowedMethods } from "./Methods.ts"
import { CurrentRequestId, requestIds } from "./RequestId.ts"
import { logRequest } from "./RequestLog.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** A response, and the cause of an unexpected failure. */
interface Settled {
  readonly response: Response
  readonly cause: Cause.Cause<unknown> | null
}

const settled = (response: Response, cause: Cause.Cause<unknown> | null = null): Settled => ({ response, cause })

/** Headers that prevent browsers and caches from storing, executing or framing a response. */
const guards = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
  vary: "origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
}

/** Returns the request with the client's address instead of the proxy's. */
const fromClient = (request: Request, isTrusted: IsTrusted): Request => {
  if (Option.isNone(request.remoteAddress)) return request
  const address = clientAddress(request.remoteAddress.value, request.headers["x-forwarded-for"], isTrusted)
  return address === request.remoteAddress.value ? request : request.modify({ remoteAddress: Option.some(address) })
}

/**
 * Returns whether all components agree on the end of the path in a URL. For the router, `;` and `#` end a path too. The
 * limits would treat the text after these characters as part of the path, and the endpoint as part of the query. No
 * valid path contains these characters.
 */
const isPlain = (url: string): boolean => !/^[^?]*[;#]/u.test(url)

/** Returns the path without the query. The query may contain secrets, so it is not logged. */
const pathOf = (url: string): string => (url.split("?", 1)[0] ?? "").slice(0, 256)

const notRouted = (request: Request, methods: AllowedMethods): Response => {
  const allowed = methods(request.url)
  if (allowed.length === 0) return failureOf(404)
  const allow = allowed.join(", ")
  if (request.method === "OPTIONS") return HttpServerResponse.empty({ status: 204, headers: { allow } })
  return failure({ status: 405, message: `This route supports ${allow}, not ${request.method}.`, headers: { allow } })
}

/** The facts about a route that its error responses need. */
interface Route {
  readonly methods: AllowedMethods
  readonly bodyBytes: number
}

const tooLarge = (bytes: number): Response =>
  failure({ status: 413, message: `The request body is too large. This route accepts at most ${formatBytes(bytes)}.` })

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

/**
 * Replaces an error response of the framework by the error envelope if its body is empty or plain text. HTML pages stay
 * unchanged.
 */
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
    message: `The request timed out after ${seconds} s. Try again.`,
    headers: { "retry-after": "1" }
  })

/** Adds the headers that all responses have. A header that the response already contains takes precedence. */
const finish = (response: Response, requestId: string): Response =>
  HttpServerResponse.setHeaders(encodeText(response), {
    ...guards,
    ...response.headers,
    "x-request-id": requestId,
    ...(response.status === 401 ? { "www-authenticate": "Bearer" } : {})
  })

/** The time limit of one request. */
interface Deadline {
  expired: boolean
}

/**
 * Interrupts the request when its time is over, and then sets `expired`. `Effect.timeout` would run the request and the
 * timer as two more fibers, which costs more than the rest of this middleware.
 */
const withDeadline = <A, E, R>(
  self: Effect.Effect<A, E, R>,
  seconds: number,
  deadline: Deadline
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const timer = setTimeout(() => {
      deadline.expired = true
      fiber.interruptUnsafe()
    }, seconds * 1_000)
    return Effect.onExit(self, () => Effect.sync(() => clearTimeout(timer)))
  })

/**
 * Wraps every route, so that each response follows the contract and has a request id. Statuses: 404 for an unknown
 * route, 405 for a wrong method, 413 for a body that is too large, 415 for a wrong media type, 500 for a defect, 503
 * for a timeout or a shutdown.
 */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const requestIdOf = requestIds(yield* Randomness)
    const { isTrusted } = yield* TrustedProxies
    const clock = yield* Clock.Clock
    const methods = allowedMethods(Api, [...outsideRoutes, ...consolePaths])
    const maxBytes = maxBodyBytes()
    const cors = yield* Cors.make
    return (next) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (received) => {
        const request = fromClient(received, isTrusted)
        const startedAt = clock.currentTimeMillisUnsafe()
        const requestId = requestIdOf(request.headers["x-request-id"])
        const path = pathOf(request.url)
        const bodyBytes = maxBytes(request.method, request.url)
        const seconds = timeoutSecondsOf(path)
        const deadline: Deadline = { expired: false }
        const page = pageOf(request)
        const logged = ({ cause, response }: Settled) =>
          logRequest({
            method: request.method,
            path,
            client: Option.getOrNull(request.remoteAddress),
            status: response.status,
            durationMillis: clock.currentTimeMillisUnsafe() - startedAt,
            cause
          })
        const send = (outcome: Settled) =>
          Effect.andThen(logged(outcome), cors.expose(page, request, finish(outcome.response, requestId)))
        const routed = isPlain(request.url) ? cors.route(page, request, next) : Effect.succeed(failureOf(404))
        return withDeadline(routed, seconds, deadline).pipe(
          // The server runs requests uninterruptibly. A handler must be interruptible, so that it ends when the client
          // disconnects or the server stops.
          Effect.interruptible,
          Effect.matchCauseEffect({
            onSuccess: (response) => send(settleResponse(response)),
            onFailure: (cause) => {
              if (deadline.expired && Cause.hasInterruptsOnly(cause)) return send(settled(timedOut(seconds)))
              // The client has closed the connection, so the framework handles the interruption.
              if (isAborted(cause)) return Effect.failCause(cause)
              return send(settleCause(cause, request, requestId, { methods, bodyBytes }))
            }
          }),
          // One update of the context is cheaper than one per service.
          Effect.updateContext((context: Context.Context<never>) =>
            context.pipe(
              Context.add(HttpServerRequest.HttpServerRequest, normalizeMediaType(request)),
              Context.add(CurrentRequestId, requestId),
              Context.add(CurrentPage, page),
              Context.add(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(bodyBytes)),
              Context.add(References.CurrentLogAnnotations, {
                ...Context.get(context, References.CurrentLogAnnotations),
                request_id: requestId
              })
            )
          )
        )
      })
  }),
  { global: true }
)
