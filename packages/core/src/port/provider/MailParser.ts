import type { Effect } from "effect"
import { Context } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { ReadMail } from "../../domain/email/ReadMail.ts"

/** The parser is overloaded or cannot start. Nothing was stored, and the same call may succeed later. */
export class ParserUnavailable extends TaggedError("ParserUnavailable")<{
  /** The cause, for the log, never for a client. */
  readonly reason: string
}> {}

/**
 * The origin of parsed content. The queue of the parser is fair between flows, so a flow with much or expensive work
 * does not delay the others.
 */
export interface ParseFlow {
  /** The id of a tenant or of an account at a provider. */
  readonly flow: string
}

/** Sanitized HTML and its text. */
export interface RenderedHtml {
  /** For display: without formatting by style attributes, and without remote images. */
  readonly html: string
  /** For sending, if the tenant wrote it: with harmless formatting and with remote images. */
  readonly own: string
  readonly text: string
}

/** Parses the raw bytes of a mail to a `ReadMail`. */
export class MailParser extends Context.Service<
  MailParser,
  {
    /**
     * Parses a source of the given media type. Every content yields a mail. `defects` lists the errors in the content.
     * A mail that exceeds the time or memory limit becomes `unparsed`.
     */
    readonly parse: (
      raw: Uint8Array,
      of: ParseFlow & { readonly mediaType: string }
    ) => Effect.Effect<ReadMail, ParserUnavailable>
    /**
     * Sanitizes HTML that the tenant wrote, and converts it to text. Use it for HTML that is too large for
     * `HtmlRenderer`, which runs in the main process.
     */
    readonly renderHtml: (html: string, of: ParseFlow) => Effect.Effect<RenderedHtml, ParserUnavailable>
    /**
     * Returns the decoded content of the attachment with this index in the result of `parse`. Returns null when there
     * is none.
     */
    readonly attachment: (
      raw: Uint8Array,
      index: number,
      of: ParseFlow
    ) => Effect.Effect<Uint8Array | null, ParserUnavailable>
    /**
     * Starts the parser now, and keeps it started. Without this call, the first mail after a pause waits for the start.
     * Does not wait for the start itself.
     */
    readonly keepReady: Effect.Effect<void>
  }
>()("core/port/provider/MailParser") {}

/** Sanitizes HTML and converts it to text, in the main process. */
export class HtmlRenderer extends Context.Service<
  HtmlRenderer,
  {
    /** Removes scripts, forms, hidden text and everything that loads from another host. */
    readonly sanitize: (html: string) => string
    /** Sanitizes HTML that the tenant itself wrote. Harmless formatting and the remote sources of images stay. */
    readonly sanitizeOwn: (html: string) => string
    /** Converts HTML to plain text. */
    readonly toText: (html: string) => string
  }
>()("core/port/provider/MailParser/HtmlRenderer") {}
