import { HttpServerResponse } from "effect/http"

const escaped: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string): string => text.replace(/[&<>"']/gu, (character) => escaped[character] ?? "")

/** A page for a browser that has submitted a form by itself. Lines are texts, never HTML. */
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

/** Sends the browser on with GET, so that loading the page again submits nothing. */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { location } })
