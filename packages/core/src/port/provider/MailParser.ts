import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { ReadMail } from "../../domain/email/ReadMail.ts"

/** The parser is overloaded or cannot start. Nothing was stored; the same call may succeed later. */
export class ParserUnavailable extends Data.TaggedError("ParserUnavailable")<{
  /** The cause, for the log, never for a client. */
  readonly reason: string
}> {}

/**
 * The origin of parsed content. Work of one flow waits behind other work of the same flow, so that one flow does not delay
 * the others.
 */
export interface ParseFlow {
  /** The id of a tenant or of an account at a provider. */
  readonly flow: string
}

/** Sanitized HTML and its text. */
export interface RenderedHtml {
  readonly html: string
  readonly text: string
}

/** Parses the raw bytes of a mail into the domain's form of it. */
export class MailParser extends Context.Service<
  MailParser,
  {
    /**
     * Parses a source of the given media type. Any content yields a mail: `defects` names its errors, and a mail that
     * exceeds the time or memory limit becomes `unparsed`.
     */
    readonly parse: (
      raw: Uint8Array,
      of: ParseFlow & { readonly mediaType: string }
    ) => Effect.Effect<ReadMail, ParserUnavailable>
    /**
     * Sanitizes HTML that the tenant wrote, and converts it to text. For HTML too large to be rendered in the main
     * process.
     */
    readonly renderHtml: (html: string, of: ParseFlow) => Effect.Effect<RenderedHtml, ParserUnavailable>
    /** Returns the decoded content of an attachment by its index in the list of `parse`. Null when there is none. */
    readonly attachment: (
      raw: Uint8Array,
      index: number,
      of: ParseFlow
    ) => Effect.Effect<Uint8Array | null, ParserUnavailable>
  }
>()("core/port/provider/MailParser") {}

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
>()("core/port/provider/MailParser/HtmlRenderer") {}
