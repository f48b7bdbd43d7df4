import { Layer } from "effect"
import { HtmlRenderer } from "@leadloom/core/internal/port/provider/MailParser"

/** Removes script elements, and all tags for text. It is not safe for untrusted HTML. */
export const inMemoryHtmlRenderer: Layer.Layer<HtmlRenderer> = Layer.succeed(HtmlRenderer, {
  sanitize: (html) => html.replace(/<script[\s\S]*?<\/script>/giu, ""),
  sanitizeOwn: (html) => html.replace(/<script[\s\S]*?<\/script>/giu, ""),
  toText: (html) =>
    html
      .replace(/<br\s*\/?>|<\/(?:p|div)>/giu, "\n")
      .replace(/<[^<>]*>/gu, "")
      .trim()
})
