import { HtmlRenderer } from "@leadloom/core/internal/port/provider/MailParser"
import { Layer } from "effect"
import { htmlToText, sanitizeHtml, sanitizeOwnHtml } from "./Html.ts"

/** Provides the HTML renderer with `sanitize-html` and `htmlparser2`. */
export const layer: Layer.Layer<HtmlRenderer> = Layer.succeed(HtmlRenderer, {
  sanitize: (html) => sanitizeHtml(html).html,
  sanitizeOwn: sanitizeOwnHtml,
  toText: (html) => htmlToText(sanitizeHtml(html).html)
})
