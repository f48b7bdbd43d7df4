import { HtmlRenderer } from "@leadloom/core/port/provider/MailParser"
import { Layer } from "effect"
import { htmlToText, sanitizeHtml } from "./Html.ts"

/** Gives remote images their address back, which `sanitizeHtml` has set aside. Only https ones have one. */
const withImages = (html: string): string => html.replace(/(<img\b[^<>]*) data-remote-src="/giu, '$1 src="')

/** HTML by `sanitize-html` and `htmlparser2`. */
export const layer: Layer.Layer<HtmlRenderer> = Layer.succeed(HtmlRenderer, {
  sanitize: (html) => sanitizeHtml(html).html,
  sanitizeOwn: (html) => withImages(sanitizeHtml(html).html),
  toText: (html) => htmlToText(sanitizeHtml(html).html)
})
