import { Forbidden } from "@leadloom/api/internal/errors"
import type { Principal } from "@leadloom/core/internal/domain/access/Principal"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { answer } from "../../error/errors.ts"

/** A web page of another origin that sent a request. */
export interface Page {
  readonly origin: string
  /** Whether the page may read the response; `undecided` until the credential is known. */
  access: "undecided" | "allowed" | "denied"
}

/** The page that sent the current request; null for programs and for pages of this server. */
export const CurrentPage = Context.Reference<Page | null>("server/http/CurrentPage", { defaultValue: () => null })

/**
 * Returns the page that sent a request. Browsers also send `Origin` to the page's own server. Behind a proxy that
 * replaces `Host`, only `Sec-Fetch-Site` identifies such a request. Scripts cannot set any of the three headers.
 */
export const pageOf = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">): Page | null => {
  const { host, origin } = headers
  if (origin === undefined || headers["sec-fetch-site"] === "same-origin") return null
  const isOwn = host !== undefined && (origin === `https://${host}` || origin === `http://${host}`)
  return isOwn ? null : { origin, access: "undecided" }
}

const admitOn = Effect.fnUntraced(function* (page: Page, principal: Principal) {
  if (principal._tag !== "Session") {
    page.access = "denied"
    return
  }
  const { config } = yield* answer((yield* Tenants).get(principal.tenantId))
  page.access = config.sessionOrigins.includes(page.origin) ? "allowed" : "denied"
  if (page.access === "denied") {
    return yield* Forbidden.of("This session token is not valid on pages of this origin.")
  }
})

/**
 * Rejects a session token on a page that its tenant does not permit, before the operation runs. Other credentials are
 * not meant for browsers: their requests run, and the page cannot read the response.
 */
export const admitPage = (context: Context.Context<never>, principal: Principal) => {
  const page = Context.get(context, CurrentPage)
  return page === null ? Effect.void : admitOn(page, principal)
}
