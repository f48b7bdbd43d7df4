import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure } from "./error/Failure.ts"
import { escapeText } from "./EscapeText.ts"

/** The form may only be sent to this server, and search engines must skip the page. */
const headers = {
  "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  "x-robots-tag": "noindex"
}

/** Returns a page for the recipient of an email. `lines` is HTML. */
export const page = (status: number, title: string, ...lines: ReadonlyArray<string>) =>
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
export const refusal = (status: 404 | 429, title: string, message: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers: { accept = "" } }) =>
    accept.includes("text/html") ? page(status, title, `<p>${escapeText(message)}</p>`) : failure({ status, message })
  )
