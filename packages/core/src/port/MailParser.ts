import { Context, Effect, Layer, Result } from "effect"
import { Base64 } from "effect/encoding"
import { plainDecoding, readEnvelope, splitHeaders } from "../email/incoming/MailHeaders.ts"
import type { ParsedMail } from "../email/incoming/ParsedMail.ts"
import { visibleText } from "../email/VisibleText.ts"

/** The text of UTF-8 bytes, without leaning on a platform; bytes that are no UTF-8 are read one by one. */
const textOf = (raw: Uint8Array): string =>
  Result.getOrElse(Base64.decodeString(Base64.encode(raw)), () =>
    Array.from(raw, (byte) => String.fromCharCode(byte)).join("")
  )

const parsePlain = (raw: Uint8Array): ParsedMail => {
  const text = textOf(raw)
  const { fields, bodyStart, defects } = splitHeaders(text)
  const envelope = readEnvelope(fields, plainDecoding)
  return {
    ...envelope,
    text: visibleText(text.slice(bodyStart)),
    html: null,
    attachments: [],
    report: null,
    defects: [...defects, ...envelope.defects]
  }
}

/** Turns the bytes of a mail into what the domain reads. */
export class MailParser extends Context.Service<
  MailParser,
  {
    /** Total: it neither fails nor dies. What is wrong with the input is told in `defects`. */
    readonly parse: (raw: Uint8Array) => Effect.Effect<ParsedMail>
    /** The decoded content of an attachment, by its place among those that `parse` tells of; null when there is none. */
    readonly attachment: (raw: Uint8Array, index: number) => Effect.Effect<Uint8Array | null>
  }
>()("core/port/MailParser") {
  /** Reads headers and body of plain RFC 5322 text; no MIME, no encoded words, no HTML. For tests of the domain. */
  static readonly layerMemory = Layer.succeed(MailParser, {
    parse: (raw) => Effect.sync(() => parsePlain(raw)),
    attachment: () => Effect.succeed(null)
  })
}
