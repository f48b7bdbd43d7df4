import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { ReadMail } from "../../domain/email/ReadMail.ts"

/** Too much is waiting to be parsed, or nothing can be parsed at the moment. Nothing was stored; the same call may succeed later. */
export class ParserUnavailable extends Data.TaggedError("ParserUnavailable")<{
  /** What is wrong, for the log, never for a client. */
  readonly reason: string
}> {}

/** Whose content is parsed. What belongs to one lane waits for itself before it delays the others. */
export interface ParseFlow {
  /** The tenant, or the account at a provider. */
  readonly flow: string
}

/** HTML that is safe to show, and its text. */
export interface RenderedHtml {
  readonly html: string
  readonly text: string
}

/** Turns the bytes of a mail into what the domain reads. */
export class MailParser extends Context.Service<
  MailParser,
  {
    /**
     * Parses a source of this media type. Whatever the content is, it becomes a mail: what is wrong with it is in `defects`,
     * and one that takes too much time or memory is `unparsed`.
     */
    readonly parse: (
      raw: Uint8Array,
      of: ParseFlow & { readonly mediaType: string }
    ) => Effect.Effect<ReadMail, ParserUnavailable>
    /** Makes HTML that the tenant wrote safe to show, and text of it, for HTML that is too long to be rendered at once. */
    readonly renderHtml: (html: string, of: ParseFlow) => Effect.Effect<RenderedHtml, ParserUnavailable>
    /** The decoded content of an attachment, by its place among those that `parse` lists; null when there is none. */
    readonly attachment: (
      raw: Uint8Array,
      index: number,
      of: ParseFlow
    ) => Effect.Effect<Uint8Array | null, ParserUnavailable>
  }
>()("core/port/provider/MailParser") {}

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
>()("core/port/provider/MailParser/HtmlRenderer") {}
