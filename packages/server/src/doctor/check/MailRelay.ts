import { probeRelay } from "@leadloom/connectors/smtp/ProbeRelay"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, problem } from "../Finding.ts"

/** Mail can leave, where a relay is configured. */
export const mailRelay: Check = {
  name: "mail relay",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const relay = config?.smtpRelay ?? null
      if (relay === null) return [healthy("LEADLOOM_SMTP_URL is not set: mail is taken, and none is sent.")]
      const place = `${relay.host}:${relay.port}`
      const reason = yield* Effect.promise(() => probeRelay(relay))
      if (reason !== null) {
        return [
          problem(
            `The relay ${place} does not take mail from here: ${hide(reason)}`,
            "Correct LEADLOOM_SMTP_URL: host, port, user, password, TLS; or ask who runs the relay."
          )
        ]
      }
      return [
        healthy(
          relay.login === null ? `The relay ${place} answers.` : `The relay ${place} answers, and takes the login.`
        )
      ]
    })
}
