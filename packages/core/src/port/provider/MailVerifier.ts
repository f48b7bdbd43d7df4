import { Context, Effect, Layer } from "effect"
import type { MailVerification, SmtpClient } from "../../domain/email/authentication/VerifiedMail.ts"
import type { Envelope } from "../../domain/email/ParsedMail.ts"

/** The delivery of a mail over SMTP, as far as it authenticates the mail. */
export interface MailDelivery extends Pick<Envelope, "sender"> {
  readonly client: SmtpClient
}

/** Verifies SPF, DKIM, DMARC and ARC of mail that arrives over SMTP. */
export class MailVerifier extends Context.Service<
  MailVerifier,
  {
    /**
     * Verifies a mail within a bounded time. Never fails: if DNS does not answer or the mail exceeds a limit, the result
     * of a method is `temperror` or `policy`.
     */
    readonly verify: (raw: Uint8Array, delivery: MailDelivery) => Effect.Effect<MailVerification>
  }
>()("core/port/provider/MailVerifier") {
  /** Verifies no mail. */
  static readonly layerOff: Layer.Layer<MailVerifier> = Layer.succeed(MailVerifier, {
    verify: () => Effect.succeed({ _tag: "Off" })
  })

  /** Trusts the results that the operator's own mail servers recorded in the header. */
  static readonly layerTrustHeaders: Layer.Layer<MailVerifier> = Layer.succeed(MailVerifier, {
    verify: () => Effect.succeed({ _tag: "TrustHeaders" })
  })
}
