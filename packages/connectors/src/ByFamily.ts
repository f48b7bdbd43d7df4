import { isHosted } from "@leadloom/core/domain/email/HostedMail"
import { EmailTransport, TransportUnavailable } from "@leadloom/core/port/provider/EmailTransport"
import { Effect, Layer } from "effect"

const noOne = { send: () => Effect.fail(new TransportUnavailable({ reason: "nobody here speaks to hosted accounts" })) }

/** Sends through whoever carries mail for the family of the account; `hosted` null: such accounts have to wait. */
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
