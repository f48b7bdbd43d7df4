import { findEndpoints, type SignInEndpoints } from "@leadloom/connectors/internal/oidc/FindEndpoints"
import { Context, Effect } from "effect"
import type { ConsoleSignIn } from "../../config/OidcVariables.ts"
import { log } from "../../LogEvents.ts"
import { escapeText } from "../EscapeText.ts"
import type { StaticFile } from "../StaticFile.ts"
import { pageHeaders } from "./ConsoleFiles.ts"

/** The client of the identity provider; null if people sign in without one. */
export const SignInClient = Context.Reference<ConsoleSignIn | null>("server/http/SignInClient", {
  defaultValue: () => null
})

/**
 * Adds the identity provider to the document. Only this document may send requests to the provider; the pages with the
 * data of a tenant may not.
 */
const withProvider = (page: StaticFile, client: ConsoleSignIn, endpoints: SignInEndpoints | null): StaticFile => {
  const content = escapeText(JSON.stringify({ ...client, endpoints }))
  const read = async (): Promise<Buffer> => {
    const html = (await page.read()).toString("utf8")
    return Buffer.from(html.replace("</head>", () => `<meta name="identity-provider" content="${content}"></head>`))
  }
  const headers = () => (endpoints === null ? pageHeaders() : pageHeaders(new URL(endpoints.token).origin))
  return { ...page, read, headers }
}

/**
 * Returns the document of the sign-in. If the provider does not respond, the document names no endpoints, and the page
 * says so; other ways to sign in still work.
 */
export const signInPage = (page: StaticFile, client: ConsoleSignIn): Effect.Effect<StaticFile> =>
  findEndpoints(client.issuer).pipe(
    Effect.catchTag("IssuerUnavailable", ({ reason }) => Effect.as(log("issuer.unavailable", { reason }), null)),
    Effect.map((endpoints) => withProvider(page, client, endpoints))
  )
