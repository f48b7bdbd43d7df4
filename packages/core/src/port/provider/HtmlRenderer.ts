import { Context, Layer } from "effect"

/** Sanitizes HTML and converts it to text. */
export class HtmlRenderer extends Context.Service<
  HtmlRenderer,
  {
    /** Removes scripts, forms, hidden text and everything that loads from another host. */
    readonly sanitize: (html: string) => string
    /** Sanitizes HTML that the tenant itself wrote. Images keep their remote sources. */
    readonly sanitizeOwn: (html: string) => string
    /** Converts HTML to plain text. */
    readonly toText: (html: string) => string
  }
>()("core/port/provider/HtmlRenderer") {
  /** Takes scripts out by their tags, and all tags for text: enough for tests, unfit for strangers. */
  static readonly layerMemory: Layer.Layer<HtmlRenderer> = Layer.succeed(HtmlRenderer, {
    sanitize: (html) => html.replace(/<script[\s\S]*?<\/script>/giu, ""),
    sanitizeOwn: (html) => html.replace(/<script[\s\S]*?<\/script>/giu, ""),
    toText: (html) =>
      html
        .replace(/<br\s*\/?>|<\/(?:p|div)>/giu, "\n")
        .replace(/<[^<>]*>/gu, "")
        .trim()
  })
}
