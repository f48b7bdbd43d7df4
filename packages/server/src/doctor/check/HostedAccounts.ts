import * as NylasMail from "@leadloom/connectors/internal/nylas/NylasMail"
import * as PooledParser from "@leadloom/connectors/internal/parse/PooledParser"
import { behaviorAfter } from "@leadloom/core/internal/domain/provider/ProviderBehavior"
import { HostedMail } from "@leadloom/core/internal/port/provider/HostedMail"
import { Effect, Layer } from "effect"
import type { Check } from "../Check.ts"
import { healthy, problem, warning } from "../Finding.ts"

/**
 * The id of the account that the check requests. No account has this id. If the API key is valid, Nylas responds that
 * the account does not exist.
 */
const probeCode = "00000000-0000-0000-0000-000000000000"

/** Checks that Nylas answers and accepts the API key, if one is configured. */
export const hostedAccounts: Check = {
  name: "hosted accounts",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const nylas = config?.nylas ?? null
      if (nylas === null)
        return [healthy("LEADLOOM_NYLAS_API_KEY is not set: Google and Microsoft accounts cannot be connected.")]
      const requested = Effect.flatMap(HostedMail, (hosted) => hosted.account(probeCode)).pipe(
        Effect.provide(Layer.provide(NylasMail.layer(nylas), PooledParser.layerInProcess)),
        Effect.as(null),
        Effect.catchTag("ProviderFailure", (failure) =>
          Effect.succeed(behaviorAfter(failure) === "give_up" ? null : failure.message)
        )
      )
      const reason = yield* requested
      if (reason !== null) {
        const next =
          "Correct LEADLOOM_NYLAS_API_KEY or LEADLOOM_NYLAS_API_URL (US or EU). If both are correct, wait until Nylas answers."
        return [problem(`The request to ${nylas.apiUrl} failed: ${hide(reason)}`, next)]
      }
      const answers = healthy(`${nylas.apiUrl} answers and accepts the API key.`)
      if (nylas.webhookSecret !== null) return [answers]
      const blind = "LEADLOOM_NYLAS_WEBHOOK_SECRET is not set: mail of hosted accounts arrives up to ten minutes late."
      return [answers, warning(blind, "Create a webhook at Nylas and set its secret: docs/how-to/connect-email.md")]
    })
}
