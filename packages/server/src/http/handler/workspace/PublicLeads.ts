import { Api } from "@leadloom/api/internal/Api"
import { BadRequest } from "@leadloom/api/internal/errors"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { makeChallenge } from "@leadloom/core/internal/workflow/intake/ProofOfWork"
import { submitForm } from "@leadloom/core/internal/workflow/intake/SubmitForm"
import { Effect, Option } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { failure, failureOf } from "../../error/Failure.ts"
import { admitVisitor, preflight } from "../../middleware/browser/FormAccess.ts"
import { formMediaOf, readFormBody } from "../../json/FormBody.ts"
import { formPage, seeOther } from "./FormPage.ts"
import { setReplayHeader } from "../../middleware/SendAnswer.ts"

/**
 * The path of form submissions. Browsers also send OPTIONS to this path before a script of another origin may submit
 * the form.
 */
const submitPath = "/api/v1/public/leads/:tenant_id"
const challengePath = `${submitPath}/challenge` as const

const visitorOf = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest, idempotencyKey: string | null) => ({
  address: Option.getOrNull(remoteAddress),
  userAgent: headers["user-agent"]?.slice(0, 500) ?? null,
  idempotencyKey
})

const submit = Effect.fnUntraced(function* (
  tenantId: string,
  request: HttpServerRequest.HttpServerRequest,
  idempotencyKey: string | null
) {
  const tenant = yield* admitVisitor(tenantId, "public")
  const media = formMediaOf(request.headers["content-type"])
  if (media === null) return unreadable
  const fields = yield* readFormBody(request, media)
  const { replayed } = yield* answer(submitForm(tenant, fields, visitorOf(request, idempotencyKey)))
  if (replayed) yield* setReplayHeader
  return { status: "accepted" as const, thank_you_url: tenant.config.publicForm.thankYouUrl }
})

const unreadable = failure({ status: 415, message: "Send the form as JSON, as URL-encoded fields or as multipart." })

/** Returns whether the response should be an HTML page, because a browser submitted the form without JavaScript. */
const wantsPage = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  formMediaOf(headers["content-type"]) === "form" && (headers["accept"] ?? "").includes("text/html")

type Refusal = Effect.Error<ReturnType<typeof submit>>
type Submitted = Effect.Success<ReturnType<typeof submit>>

const isResponse = (submitted: Submitted): submitted is HttpServerResponse.HttpServerResponse =>
  !("thank_you_url" in submitted)

const refusalPage = (refusal: Refusal): HttpServerResponse.HttpServerResponse => {
  const issues = refusal instanceof BadRequest ? (refusal.error.details ?? []) : []
  const lines = issues.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`))
  return formPage(statusOf[refusal._tag], "Your message was not sent", [
    ...(lines.length === 0 ? [refusal.error.message] : lines),
    "Go back to change your entries."
  ])
}

const statusOf: Readonly<Record<Refusal["_tag"], number>> = {
  BadRequest: 400,
  Forbidden: 403,
  IdempotencyConflict: 409,
  NotFound: 404,
  PayloadTooLarge: 413,
  RateLimited: 429,
  ServiceUnavailable: 503
}

const thanks = formPage(200, "Thank you", ["We have received your message and will be in touch."])

/** Endpoints for public forms, submitted by scripts or by plain browser forms. */
export const layer = HttpApiBuilder.group(Api, "publicLeads", (handlers) =>
  handlers
    .handleRaw("submit", ({ headers, params, request }) => {
      const submitted = submit(params.tenant_id, request, headers["idempotency-key"] || null)
      if (!wantsPage(request)) return submitted
      return Effect.match(submitted, {
        onFailure: refusalPage,
        onSuccess: (done) => {
          if (isResponse(done)) return done
          return done.thank_you_url === null ? thanks : seeOther(done.thank_you_url)
        }
      })
    })
    .handle(
      "challenge",
      Effect.fnUntraced(function* ({ params }) {
        const { config, tenantId } = yield* admitVisitor(params.tenant_id, "challenge")
        const { verification } = config.publicForm
        if (verification !== "proof_of_work")
          return { verification, challenge: null, difficulty: null, expires_at: null }
        const { challenge, difficulty, expiresAt } = yield* makeChallenge(tenantId)
        return { verification, challenge, difficulty, expires_at: isoTime(expiresAt) }
      })
    )
)

const answerPreflight = (methods: string) =>
  Effect.gen(function* () {
    const { tenant_id = "" } = yield* HttpRouter.params
    return yield* preflight(tenant_id, methods)
  }).pipe(
    Effect.catchTag("ServiceUnavailable", () => Effect.succeed(failureOf(503, { headers: { "retry-after": "1" } })))
  )

/** Answers CORS preflight requests for public forms. */
export const preflights = HttpRouter.use((router) =>
  Effect.gen(function* () {
    yield* router.add("OPTIONS", submitPath, answerPreflight("POST"))
    yield* router.add("OPTIONS", challengePath, answerPreflight("GET"))
  })
)
