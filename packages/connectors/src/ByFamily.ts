import type { MailProvider } from "@leadloom/core/internal/domain/email/Grant"
import { isHosted } from "@leadloom/core/internal/domain/email/HostedMail"
import { unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { Effect, Layer } from "effect"

const noOne = {
  send: () => Effect.fail(unavailable("mail", "no provider for hosted accounts is configured"))
}

/** The transports of the families of accounts. */
interface Families<R> {
  /** The operator's relay. */
  readonly relayed: Layer.Layer<EmailTransport>
  /** Null: mail of hosted accounts stays queued. */
  readonly hosted: Layer.Layer<EmailTransport> | null
  /** The mailboxes at any mail server. */
  readonly mailbox: Layer.Layer<EmailTransport, never, R>
}

/** Selects the transport by the provider family of the account. */
export const layer = <R>({ hosted, mailbox, relayed }: Families<R>): Layer.Layer<EmailTransport, never, R> =>
  Layer.effect(
    EmailTransport,
    Effect.gen(function* () {
      const own = yield* Effect.provide(EmailTransport, relayed)
      const others = hosted === null ? noOne : yield* Effect.provide(EmailTransport, hosted)
      const mailboxes = yield* Effect.provide(EmailTransport, mailbox)
      const transportOf = (provider: MailProvider): EmailTransport["Service"] =>
        isHosted(provider) ? others : provider === "imap" ? mailboxes : own
      return EmailTransport.of({
        send: (outgoing, clearance) => transportOf(outgoing.grant.provider).send(outgoing, clearance)
      })
    })
  )
