import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import {
  readUnsubscribeLink,
  unsubscribe,
  type UnsubscribeLinkInvalid
} from "@leadloom/core/internal/workflow/consent/Unsubscribe"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { log } from "../LogEvents.ts"
import { failure, failureOf } from "./error/Failure.ts"
import { escapeText } from "./EscapeText.ts"
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

/** The form may only be sent to this server, and search engines must skip the page. */
const headers = {
  "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  "x-robots-tag": "noindex"
}

const page = (status: number, title: string, ...lines: ReadonlyArray<string>) =>
  HttpServerResponse.text(
    [
      "<!doctype html>",
      `<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
      `<title>${title}</title><h1>${title}</h1>`,
      ...lines,
      "</html>"
    ].join("\n"),
    { status, contentType: "text/html; charset=utf-8", headers }
  )

/** Refuses with a page in a browser, and with the error envelope elsewhere. */
const refusal = (status: 404 | 429, message: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers: { accept = "" } }) =>
    accept.includes("text/html")
      ? page(status, "You are not unsubscribed", `<p>${escapeText(message)}</p>`)
      : failure({ status, message })
  )

/** Refuses an invalid link. It counts as an invalid credential, so that nobody can try many tokens. */
const refuse = countBad().pipe(
  Effect.andThen(refusal(404, "This link is not valid. Open the link in the email again, or answer the email.")),
  Effect.catchTag("RateLimited", () => refusal(429, "Too many invalid links from your network. Try again later."))
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
