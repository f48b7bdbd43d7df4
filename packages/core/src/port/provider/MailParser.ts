import { Context, Data, Effect, Layer, Result } from "effect"
import { Base64 } from "effect/encoding"
import { plainDecoding, readEnvelope, splitHeaders } from "../../domain/email/MailHeaders.ts"
import { type ReadMail, splitMail } from "../../domain/email/ReadMail.ts"
import { visibleText } from "../../domain/email/VisibleText.ts"

/** Decodes UTF-8 without a platform API. Input that is not valid UTF-8 becomes one character per byte. */
const textOf = (raw: Uint8Array): string =>
  Result.getOrElse(Base64.decodeString(Base64.encode(raw)), () =>
    Array.from(raw, (byte) => String.fromCharCode(byte)).join("")
  )

const parsePlain = (raw: Uint8Array): ReadMail => {
  const text = textOf(raw)
  const { fields, bodyStart, defects } = splitHeaders(text)
  const envelope = readEnvelope(fields, plainDecoding)
  return splitMail({
    ...envelope,
    text: visibleText(text.slice(bodyStart)),
    html: null,
    attachments: [],
    report: null,
    defects: [...defects, ...envelope.defects]
  })
}

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
>()("core/port/provider/MailParser") {
  /** Reads headers and body of plain RFC 5322 text; no MIME, no encoded words, no HTML. For tests of the domain. */
  static readonly layerMemory = Layer.succeed(MailParser, {
    parse: (raw) => Effect.sync(() => parsePlain(raw)),
    renderHtml: (html) => Effect.succeed({ html, text: html }),
    attachment: () => Effect.succeed(null)
  })
}
