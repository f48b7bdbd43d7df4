/**
 * Requests of web pages: which page sent a request, and which responses it may read (CORS, Fetch standard section 3.2).
 * The permitted origins belong to the configuration of a tenant. Tests: `packages/server/test/http/access/Cors.test.ts`
 * and `packages/server/test/http/lead/PublicLeads.test.ts`.
 */

import { Api } from "@leadloom/api/internal/Api"
import { contractOperations } from "@leadloom/core/internal/domain/access/Operations"
import { isForSessions } from "@leadloom/core/internal/domain/access/Permission"
import type { RateLimitResult } from "@leadloom/core/internal/domain/access/RateLimit"
import { maxOriginLength } from "@leadloom/core/internal/domain/tenant/WebOrigin"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import type { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { failureOf } from "../../error/Failure.ts"
import { outsideRoutes } from "../../OutsideRoutes.ts"
import { consume, networkOfCaller } from "../Authorization.ts"
import { Limits } from "../Limits.ts"
import { operationFinder } from "../Methods.ts"
import { rateLimitHeaders } from "../RateHeaders.ts"
import type { Page } from "./Page.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The response headers that scripts of other origins may read. */
const exposed =
  "etag, idempotent-replayed, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-request-id"

/** The request headers of the contract. */
const accepted = "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, x-request-id"

/** The time in seconds for which a browser caches the answer to a preflight request. */
const preflightSeconds = 600

/** Returns the headers that permit a page to read a response. */
export const readableBy = (origin: string): Readonly<Record<string, string>> => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": exposed
})

/** Returns the headers that permit a page to send a request. */
export const sendableBy = (origin: string, methods: string): Readonly<Record<string, string>> => ({
  "access-control-allow-origin": origin,
  "access-control-allow-methods": methods,
  "access-control-allow-headers": accepted,
  "access-control-max-age": String(preflightSeconds)
})

const refused = (counted: RateLimitResult): Response => failureOf(429, { headers: rateLimitHeaders(counted) })

/**
 * Counts a preflight request against the network of the browser, because it has no credential. Returns the response to
 * a request above the limit.
 */
export const countPreflight = Effect.gen(function* () {
  const counted = yield* consume(null, `preflight:${yield* networkOfCaller}`, (yield* Limits).admin)
  return Option.isSome(counted) && !counted.value.allowed ? refused(counted.value) : null
})

const operations: Readonly<Record<string, (typeof contractOperations)[keyof typeof contractOperations]>> =
  contractOperations

/** The rules for pages of other origins. A null page means another client, to which no rule applies. */
export interface Cors {
  /** Answers a preflight request of a permitted page. Routes every other request. */
  readonly route: <E, R>(
    page: Page | null,
    request: Request,
    next: Effect.Effect<Response, E, R>
  ) => Effect.Effect<Response, E, R>
  /** Adds the headers that permit the page to read the response. */
  readonly expose: (page: Page | null, request: Request, response: Response) => Effect.Effect<Response>
}

/**
 * Builds the rules. A preflight request has no credential, so its tenant is unknown. It is answered for an origin that
 * any tenant permits, like an error before the credential is known. Neither response reveals a tenant.
 */
export const make: Effect.Effect<Cors, never, Tenants | Limits | RateLimits> = Effect.gen(function* () {
  const services = yield* Effect.context<Limits | RateLimits>()
  const tenants = yield* Tenants
  const find = operationFinder(Api, outsideRoutes)
  const reachesSessions = (method: string, url: string): boolean => {
    const row = operations[find(method, url)?.name ?? ""]
    return row !== undefined && isForSessions(row.class)
  }
  const isPermitted = ({ origin }: Page): Effect.Effect<boolean> =>
    origin.length > maxOriginLength
      ? Effect.succeed(false)
      : Effect.orElseSucceed(tenants.permitsOrigin(origin), () => false)
  const mayRead = (page: Page, { method, url }: Request): Effect.Effect<boolean> => {
    if (page.access !== "undecided") return Effect.succeed(page.access === "allowed")
    return reachesSessions(method, url) ? isPermitted(page) : Effect.succeed(false)
  }
  const preflight = Effect.fnUntraced(function* (page: Page, request: Request, method: string) {
    const limited = yield* Effect.provideService(countPreflight, HttpServerRequest.HttpServerRequest, request)
    if (limited !== null) return limited
    if (!(yield* isPermitted(page))) return null
    return HttpServerResponse.empty({ status: 204, headers: sendableBy(page.origin, method) })
  }, Effect.provideContext(services))
  return {
    route: (page, request, next) => {
      const method = request.headers["access-control-request-method"]
      if (page === null || request.method !== "OPTIONS" || method === undefined) return next
      if (!reachesSessions(method, request.url)) return next
      return Effect.flatMap(preflight(page, request, method), (response) =>
        response === null ? next : Effect.succeed(response)
      )
    },
    expose: (page, request, response) =>
      page === null
        ? Effect.succeed(response)
        : Effect.map(mayRead(page, request), (readable) =>
            readable ? HttpServerResponse.setHeaders(response, readableBy(page.origin)) : response
          )
  }
})
