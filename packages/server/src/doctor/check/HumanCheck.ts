import { probeTurnstile } from "@leadloom/connectors/turnstile/Turnstile"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, problem, warning } from "../Finding.ts"

/** Whoever tells people from programs on forms answers, and knows the secret, where one is configured. */
export const humanCheck: Check = {
  name: "human check",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const turnstile = config?.turnstile ?? null
      if (turnstile === null)
        return [healthy("LEADLOOM_TURNSTILE_SECRET is not set: forms that ask for Turnstile are refused.")]
      const seen = yield* probeTurnstile(turnstile)
      switch (seen._tag) {
        case "Refused":
          return [healthy(`${turnstile.url} answers, and knows the secret.`)]
        case "Passed":
          return [
            warning(
              `${turnstile.url} lets everybody pass with this secret.`,
              "It is one for tests: set LEADLOOM_TURNSTILE_SECRET to the secret of your widget."
            )
          ]
        case "Failed":
          return [
            problem(
              `${turnstile.url} does not check anybody: ${hide(seen.reason)}`,
              "Correct LEADLOOM_TURNSTILE_SECRET and LEADLOOM_TURNSTILE_URL, or wait until it answers: forms that ask for it are refused meanwhile."
            )
          ]
      }
    })
}
