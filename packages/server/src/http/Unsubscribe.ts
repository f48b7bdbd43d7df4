import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import {
  readUnsubscribeLink,
  unsubscribe,
  type UnsubscribeLinkInvalid
} from "@leadloom/core/internal/workflow/consent/Unsubscribe"
import { Effect } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { log } from "../LogEvents.ts"
import { failureOf } from "./error/Failure.ts"
import { escapeText } from "./EscapeText.ts"
import { page, refusal } from "./LinkPage.ts"
import { countBad } from "./middleware/Authorization.ts"
import type { Route } from "./middleware/Methods.ts"

const path = "/api/v1/public/unsubscribe/:token"

/**
 * Routes with which the recipient of an email opts out. They are outside the contract, because people and mail programs
 * open them (RFC 8058), and no client.
 */
export const unsubscribeRoutes: ReadonlyArray<Route> = [
  ["GET", path, "unsubscribe.page"],
  ["POST", path, "unsubscribe.confirm"]
]

const title = "You are not unsubscribed"

/** Refuses an invalid link. It counts as an invalid credential, so that nobody can try many tokens. */
const refuse = countBad().pipe(
  Effect.andThen(refusal(404, title, "This link is not valid. Open the link in the email again, or answer the email.")),
  Effect.catchTag("RateLimited", () =>
    refusal(429, title, "Too many invalid links from your network. Try again later.")
  )
)

const answered = <R>(
  response: Effect.Effect<HttpServerResponse.HttpServerResponse, UnsubscribeLinkInvalid | StoreUnavailable, R>
) =>
  Effect.catchTags(response, {
    UnsubscribeLinkInvalid: () => refuse,
    StoreUnavailable: ({ reason }) =>
      Effect.as(log("unsubscribe.failed", { reason }), failureOf(503, { headers: { "retry-after": "1" } }))
  })

const showPage = Effect.gen(function* () {
  const { token = "" } = yield* HttpRouter.params
  const { tenant } = yield* readUnsubscribeLink(token)
  return page(
    200,
    "Unsubscribe",
    `<p>Do you want to receive no more emails from ${escapeText(tenant.name)}?</p>`,
    `<form method="post"><button>Unsubscribe</button></form>`
  )
})

const confirm = Effect.gen(function* () {
  const { token = "" } = yield* HttpRouter.params
  const { name } = yield* unsubscribe(token)
  return page(200, "You are unsubscribed", `<p>You will receive no more emails from ${escapeText(name)}.</p>`)
})

/** Serves the routes with which the recipient of an email opts out. The sealed token authenticates a request. */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    yield* router.add("GET", path, answered(showPage))
    yield* router.add("POST", path, answered(confirm))
  })
)
