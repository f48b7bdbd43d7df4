import { HtmlRenderer } from "@leadloom/core/internal/port/provider/MailParser"
import { Layer } from "effect"
import { htmlToText, sanitizeHtml } from "./Html.ts"

/**
 * Restores the URLs of remote images that `sanitizeHtml` moved to `data-remote-src`. This attribute contains https URLs
 * only.
 */
const withImages = (html: string): string => html.replace(/(<img\b[^<>]*) data-remote-src="/giu, '$1 src="')

/** Provides the HTML renderer with `sanitize-html` and `htmlparser2`. */
export const layer: Layer.Layer<HtmlRenderer> = Layer.succeed(HtmlRenderer, {
  sanitize: (html) => sanitizeHtml(html).html,
  sanitizeOwn: (html) => withImages(sanitizeHtml(html).html),
  toText: (html) => htmlToText(sanitizeHtml(html).html)
})
