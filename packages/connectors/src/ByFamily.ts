import { isHosted } from "@leadloom/core/internal/domain/email/HostedMail"
import { unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { Effect, Layer } from "effect"

const noOne = {
  send: () => Effect.fail(unavailable("mail", "no provider for hosted accounts is configured"))
}

/**
 * Selects the transport by the provider family of the account. If `hosted` is null, mail of hosted accounts stays
 * queued.
 */
export const layer = (
  relayed: Layer.Layer<EmailTransport>,
  hosted: Layer.Layer<EmailTransport> | null
): Layer.Layer<EmailTransport> =>
  Layer.effect(
    EmailTransport,
    Effect.gen(function* () {
      const own = yield* Effect.provide(EmailTransport, relayed)
      const others = hosted === null ? noOne : yield* Effect.provide(EmailTransport, hosted)
      return EmailTransport.of({
        send: (outgoing, clearance) => (isHosted(outgoing.grant.provider) ? others : own).send(outgoing, clearance)
      })
    })
  )
