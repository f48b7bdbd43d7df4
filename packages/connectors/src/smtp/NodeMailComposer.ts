import { MailComposer } from "@leadloom/core/internal/port/provider/MailComposer"
import { Effect, Layer } from "effect"
import { composeMail } from "./ComposeMail.ts"

/** Composes mail with nodemailer, as the transports do. */
export const layer: Layer.Layer<MailComposer> = Layer.succeed(MailComposer, {
  compose: (mail, files) => Effect.promise(() => composeMail(mail, files))
})
