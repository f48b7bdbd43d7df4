import { Context } from "effect"

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
>()("core/port/provider/HtmlRenderer") {}
