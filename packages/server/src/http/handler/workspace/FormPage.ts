import { HttpServerResponse } from "effect/http"
import { escapeText } from "../../EscapeText.ts"

/** Returns a page for a browser that submitted a form without JavaScript. The lines are escaped as text. */
export const formPage = (
  status: number,
  title: string,
  lines: ReadonlyArray<string>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    [
      "<!doctype html>",
      `<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
      `<title>${escapeText(title)}</title><h1>${escapeText(title)}</h1>`,
      ...lines.map((line) => `<p>${escapeText(line)}</p>`),
      "</html>"
    ].join("\n"),
    { status, contentType: "text/html; charset=utf-8" }
  )

/** Redirects the browser with GET, so that a reload does not submit the form again. */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { location } })
