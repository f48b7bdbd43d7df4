import { Context, Layer } from "effect"

/** Makes HTML safe, and text of it. */
export class HtmlRenderer extends Context.Service<
  HtmlRenderer,
  {
    /** What is safe to show, without scripts, forms, hidden text and what loads from elsewhere. */
    readonly sanitize: (html: string) => string
    /** The same for what the tenant itself writes: images load from where they are. */
    readonly sanitizeOwn: (html: string) => string
    /** Plain text of HTML. */
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
