import { Effect, Layer, Result } from "effect"
import { Base64 } from "effect/encoding"
import { plainDecoding, readEnvelope, splitHeaders } from "@leadloom/core/internal/domain/email/MailHeaders"
import { type ReadMail, splitMail } from "@leadloom/core/internal/domain/email/ReadMail"
import { visibleText } from "@leadloom/core/internal/domain/email/VisibleText"
import { MailParser } from "@leadloom/core/internal/port/provider/MailParser"

/** Decodes UTF-8 without a platform API. Invalid UTF-8 becomes one character per byte. */
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

/** Provides a `MailParser` for plain RFC 5322 text. It does not support MIME, encoded words and HTML. */
export const inMemoryMailParser = Layer.succeed(MailParser, {
  parse: (raw) => Effect.sync(() => parsePlain(raw)),
  renderHtml: (html) => Effect.succeed({ html, own: html, text: html }),
  attachment: () => Effect.succeed(null),
  keepReady: Effect.void
})
