import { probeRelay } from "@leadloom/connectors/internal/smtp/ProbeRelay"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, problem } from "../Finding.ts"

/** Checks that the mail relay accepts connections, if one is configured. */
export const mailRelay: Check = {
  name: "mail relay",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const relay = config?.smtpRelay ?? null
      if (relay === null) return [healthy("LEADLOOM_SMTP_URL is not set: mail is stored but not sent.")]
      const place = `${relay.host}:${relay.port}`
      const reason = yield* Effect.promise(() => probeRelay(relay))
      if (reason !== null) {
        return [
          problem(
            `The relay ${place} rejects mail from this server: ${hide(reason)}`,
            "Correct host, port, user, password or TLS in LEADLOOM_SMTP_URL, or ask the operator of the relay."
          )
        ]
      }
      return [
        healthy(
          relay.login === null ? `The relay ${place} answers.` : `The relay ${place} answers and accepts the login.`
        )
      ]
    })
}
