import { Context, type Effect } from "effect"
import type { OutgoingMail } from "../../domain/email/OutgoingMail.ts"

/** Writes outbound mail in the format of the internet (RFC 5322, MIME). */
export class MailComposer extends Context.Service<
  MailComposer,
  {
    /** Returns the bytes of a mail. `files` has the contents of the attachments, in their order. */
    readonly compose: (mail: OutgoingMail, files: ReadonlyArray<Uint8Array>) => Effect.Effect<Uint8Array>
  }
>()("core/port/provider/MailComposer") {}
