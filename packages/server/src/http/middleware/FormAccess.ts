import { Forbidden, NotFound, RateLimited } from "@leadloom/api/errors"
import { allowsOrigin, type PublicForm } from "@leadloom/core/domain/tenant/PublicForm"
import { Tenants } from "@leadloom/core/port/repository/tenant/Tenants"
import { Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { consume } from "./Authorization.ts"
import { answer } from "../error/errors.ts"
import { Limits } from "./Limits.ts"
import { networkOf } from "./Network.ts"
import { setRateLimitHeaders } from "./RateHeaders.ts"

/** The response headers that scripts of other origins may read (Fetch standard, CORS-exposed header names). */
const exposed =
  "idempotent-replayed, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-request-id"

/** The time in seconds for which a browser caches the answer to a preflight request. */
const preflightSeconds = 600

/** Returns a tenant with an open public form; null if there is none. */
export const openForm = Effect.fnUntraced(function* (tenantId: string) {
  const found = (yield* Tenants).get(tenantId).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  const tenant = yield* answer(found)
  return tenant?.config.publicForm.enabled === true ? tenant : null
})

/**
 * Returns the CORS headers that allow pages of a permitted origin to read the response. `Vary` tells caches that the
 * response depends on the origin.
 */
const corsOf = (form: PublicForm | null, origin: string | undefined): Readonly<Record<string, string>> =>
  form === null || origin === undefined || !allowsOrigin(form, origin)
    ? { vary: "origin" }
    : { vary: "origin", "access-control-allow-origin": origin, "access-control-expose-headers": exposed }

/** Answers a preflight request. */
export const preflight = Effect.fnUntraced(function* (tenantId: string, methods: string) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const tenant = yield* openForm(tenantId)
  const cors = corsOf(tenant?.config.publicForm ?? null, headers["origin"])
  return HttpServerResponse.empty({
    status: 204,
    headers: {
      ...cors,
      allow: `${methods}, OPTIONS`,
      ...("access-control-allow-origin" in cors
        ? {
            "access-control-allow-methods": methods,
            "access-control-allow-headers": "content-type, idempotency-key, x-request-id",
            "access-control-max-age": String(preflightSeconds)
          }
        : {})
    }
  })
})

/**
 * Admits a visitor to a tenant's form. Checks the rate limit of the visitor's network, the form and the origin. The
 * error is the same for an unknown tenant and for a tenant without a form.
 */
export const admitVisitor = Effect.fnUntraced(function* (tenantId: string, limiter: "public" | "challenge") {
  const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  const network = networkOf(Option.getOrElse(remoteAddress, () => "unknown"))
  const counted = yield* consume(null, `${limiter}:${network}`, (yield* Limits).publicLeads)
  if (Option.isSome(counted)) yield* setRateLimitHeaders(counted.value)
  const tenant = yield* openForm(tenantId)
  const origin = headers["origin"]
  const cors = corsOf(tenant?.config.publicForm ?? null, origin)
  yield* HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, cors))
  )
  if (Option.isSome(counted) && !counted.value.allowed) return yield* RateLimited.of(counted.value.retryAfterSeconds)
  if (tenant === null) return yield* NotFound.of("There is no such form.")
  if (origin !== undefined && !allowsOrigin(tenant.config.publicForm, origin)) {
    return yield* Forbidden.of("This form does not accept submissions from pages of this origin.")
  }
  return tenant
})
