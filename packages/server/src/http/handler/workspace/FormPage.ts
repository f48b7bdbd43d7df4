import { HttpServerResponse } from "effect/http"

const escaped: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string): string => text.replace(/[&<>"']/gu, (character) => escaped[character] ?? "")

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
      `<title>${escape(title)}</title><h1>${escape(title)}</h1>`,
      ...lines.map((line) => `<p>${escape(line)}</p>`),
      "</html>"
    ].join("\n"),
    { status, contentType: "text/html; charset=utf-8" }
  )

/** Redirects the browser with GET, so that a reload does not submit the form again. */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { location } })
