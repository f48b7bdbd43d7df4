import { Forbidden, NotFound, RateLimited } from "@leadloom/api/internal/errors"
import { allowsOrigin, type PublicForm } from "@leadloom/core/internal/domain/tenant/PublicForm"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { consume } from "../Authorization.ts"
import { answer } from "../../error/errors.ts"
import { Limits } from "../Limits.ts"
import { networkOf } from "../Network.ts"
import { setRateLimitHeaders } from "../RateHeaders.ts"
import { countPreflight, readableBy, sendableBy } from "./Cors.ts"

/** Returns a tenant with an open public form; null if there is none. */
export const openForm = Effect.fnUntraced(function* (tenantId: string) {
  const found = (yield* Tenants).get(tenantId).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  const tenant = yield* answer(found)
  return tenant?.config.publicForm.enabled === true ? tenant : null
})

const isAllowed = (form: PublicForm | undefined, origin: string | undefined): origin is string =>
  form !== undefined && origin !== undefined && allowsOrigin(form, origin)

/** Answers a preflight request of a page with a form. */
export const preflight = Effect.fnUntraced(function* (tenantId: string, methods: string) {
  const limited = yield* countPreflight
  if (limited !== null) return limited
  const origin = (yield* HttpServerRequest.HttpServerRequest).headers["origin"]
  const form = (yield* openForm(tenantId))?.config.publicForm
  return HttpServerResponse.empty({
    status: 204,
    headers: { allow: `${methods}, OPTIONS`, ...(isAllowed(form, origin) ? sendableBy(origin, methods) : {}) }
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
  if (isAllowed(tenant?.config.publicForm, origin)) {
    yield* HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeaders(response, readableBy(origin)))
    )
  }
  if (Option.isSome(counted) && !counted.value.allowed) return yield* RateLimited.of(counted.value.retryAfterSeconds)
  if (tenant === null) return yield* NotFound.of("There is no such form.")
  if (origin !== undefined && !allowsOrigin(tenant.config.publicForm, origin)) {
    return yield* Forbidden.of("This form does not accept submissions from pages of this origin.")
  }
  return tenant
})
