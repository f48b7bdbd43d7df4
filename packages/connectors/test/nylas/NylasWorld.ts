import { clearedMail } from "@leadloom/testkit/outbound/Cleared"
import type { OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { HostedMail } from "@leadloom/core/internal/port/provider/HostedMail"
import { type NylasStandIn, startNylas } from "@leadloom/testkit/nylas/NylasStandIn"
import type { StandInGrant } from "@leadloom/testkit/nylas/StandInMailbox"
import { grantRecord, sendRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Layer, Redacted, Result } from "effect"
import type { NylasConfig } from "../../src/nylas/NylasConfig.ts"
import * as NylasMail from "../../src/nylas/NylasMail.ts"
import * as NylasTransport from "../../src/nylas/NylasTransport.ts"
import * as PooledParser from "../../src/parse/PooledParser.ts"

export const configOf = (nylas: NylasStandIn, changes: Partial<NylasConfig> = {}): NylasConfig => ({
  apiUrl: nylas.url,
  apiKey: Redacted.make(nylas.apiKey),
  clientId: nylas.clientId,
  redirectUri: nylas.redirectUri,
  ...changes
})

export const { mail } = sendRecord("acme", 1)

/** Shorter than in production. */
export const timeouts: NylasTransport.SendTimeouts = { first: 2_000, pause: 10, whole: 6_000 }

/** Returns our grant of an account in the stand-in. */
export const grantFor = ({ email, id, provider }: StandInGrant) =>
  grantRecord("acme", 1, { provider, email, providerGrantId: id })

/** Runs a request about a hosted account. Returns a failure as a value. */
export const requesting = async <A, E extends { readonly _tag: string }>(
  config: NylasConfig,
  use: (hosted: HostedMail["Service"]) => Effect.Effect<A, E>
): Promise<Result.Result<A, E>> =>
  Effect.runPromise(
    Effect.flatMap(HostedMail, (hosted) => Effect.result(use(hosted))).pipe(
      Effect.provide(Layer.provide(NylasMail.layer(config), PooledParser.layerInProcess))
    )
  )

/** Sends a mail. Returns the tag of the outcome and its message. */
export const sending = async (
  config: NylasConfig,
  grant: StandInGrant,
  changes: Partial<OutgoingMail> = {},
  waiting: NylasTransport.SendTimeouts = timeouts
) => {
  const outgoing = {
    grant: grantFor(grant),
    mail: { ...mail, from: { email: grant.email, name: "Müller" }, ...changes }
  }
  const send = Effect.flatMap(EmailTransport, (transport) =>
    transport.send(outgoing, clearedMail(outgoing.grant.tenantId, outgoing.mail))
  )
  const result = await Effect.runPromise(
    Effect.result(send).pipe(Effect.provide(NylasTransport.layer(config, waiting)))
  )
  return Result.isSuccess(result)
    ? { tag: "sent", ...result.success }
    : { tag: result.failure.reason._tag, reason: result.failure.message }
}

export { startNylas }
