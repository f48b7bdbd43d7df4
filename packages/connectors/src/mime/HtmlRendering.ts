import { HtmlRenderer } from "@leadloom/core/port/provider/HtmlRenderer"
import type { RenderedHtml } from "@leadloom/core/port/provider/MailParser"
import { Layer } from "effect"
import { htmlToText, sanitizeHtml } from "./Html.ts"

/** Restores the URLs of remote images that `sanitizeHtml` moved. Only https URLs are kept there. */
const withImages = (html: string): string => html.replace(/(<img\b[^<>]*) data-remote-src="/giu, '$1 src="')

/** Returns HTML that is safe to display, and its text. */
export const renderHtml = (source: string): RenderedHtml => {
  const { html } = sanitizeHtml(source)
  return { html, text: htmlToText(sanitizeHtml(html).html) }
}

/** Provides the HTML renderer with `sanitize-html` and `htmlparser2`. */
export const layer: Layer.Layer<HtmlRenderer> = Layer.succeed(HtmlRenderer, {
  sanitize: (html) => sanitizeHtml(html).html,
  sanitizeOwn: (html) => withImages(sanitizeHtml(html).html),
  toText: (html) => htmlToText(sanitizeHtml(html).html)
})
