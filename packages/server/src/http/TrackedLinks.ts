import type { LinkNotFound, TrackedLink } from "@leadloom/core/internal/domain/link/TrackedLink"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { findLink, recordOpen } from "@leadloom/core/internal/workflow/link/OpenLink"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { log } from "../LogEvents.ts"
import { failureOf } from "./error/Failure.ts"
import { refusal } from "./LinkPage.ts"
import { countBad } from "./middleware/Authorization.ts"
import type { Route } from "./middleware/Methods.ts"

const path = "/api/v1/public/links/:token"

/** The route of links in emails whose openings are recorded. It is outside the contract, because people open it. */
export const trackedLinkRoutes: ReadonlyArray<Route> = [["GET", path, "trackedLinks.open"]]

/** Redirects to the stored URL. The next site does not learn the token, and no cache keeps the response. */
const redirect = ({ url }: TrackedLink) =>
  HttpServerResponse.empty({
    status: 302,
    headers: {
      location: url,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex"
    }
  })

/** Refuses an invalid link. It counts as an invalid credential, so that nobody can try many tokens. */
const refuse = countBad().pipe(
  Effect.andThen(refusal(404, "Not found", "This link is not valid, or has expired.")),
  Effect.catchTag("RateLimited", () =>
    refusal(429, "Too many requests", "Too many invalid links from your network. Try again later.")
  )
)

/** Returns whether a browser requests a page only in case a person opens it later (Fetch Metadata, `Sec-Purpose`). */
const isPrefetch = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  /\bprefetch\b/iu.test(headers["sec-purpose"] ?? headers["purpose"] ?? "")

const open = Effect.gen(function* () {
  const { token = "" } = yield* HttpRouter.params
  const { headers, method } = yield* HttpServerRequest.HttpServerRequest
  const link = yield* findLink(token)
  // A link leads to its URL also if the opening cannot be stored.
  if (method === "GET" && !isPrefetch(headers))
    yield* Effect.catchTag(recordOpen(link), "StoreUnavailable", ({ reason }) => log("link.open_failed", { reason }))
  return redirect(link)
})

const answered = <R>(
  response: Effect.Effect<HttpServerResponse.HttpServerResponse, LinkNotFound | StoreUnavailable, R>
) =>
  Effect.catchTags(response, {
    LinkNotFound: () => refuse,
    StoreUnavailable: ({ reason }) =>
      Effect.as(log("link.open_failed", { reason }), failureOf(503, { headers: { "retry-after": "1" } }))
  })

/** Serves the links in emails whose openings are recorded. The random token authenticates a request. */
export const layer = HttpRouter.use((router) => router.add("GET", path, answered(open)))
