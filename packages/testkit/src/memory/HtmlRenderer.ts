import { Layer } from "effect"
import { HtmlRenderer } from "@leadloom/core/port/provider/MailParser"

/** Takes scripts out by their tags, and all tags for text: enough for tests, unfit for strangers. */
export const inMemoryHtmlRenderer: Layer.Layer<HtmlRenderer> = Layer.succeed(HtmlRenderer, {
  sanitize: (html) => html.replace(/<script[\s\S]*?<\/script>/giu, ""),
  sanitizeOwn: (html) => html.replace(/<script[\s\S]*?<\/script>/giu, ""),
  toText: (html) =>
    html
      .replace(/<br\s*\/?>|<\/(?:p|div)>/giu, "\n")
      .replace(/<[^<>]*>/gu, "")
      .trim()
})
