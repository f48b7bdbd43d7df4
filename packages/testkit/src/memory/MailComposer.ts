import { MailComposer } from "@leadloom/core/internal/port/provider/MailComposer"
import { Effect, Layer } from "effect"

/** Composes mail as its Message-ID, its subject and its text. */
export const inMemoryMailComposer: Layer.Layer<MailComposer> = Layer.succeed(MailComposer, {
  compose: ({ internetMessageId, subject, text }) =>
    Effect.succeed(new TextEncoder().encode(`Message-ID: <${internetMessageId}>\r\nSubject: ${subject}\r\n\r\n${text}`))
})
