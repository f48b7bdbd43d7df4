import { probeTurnstile } from "@leadloom/connectors/internal/turnstile/Turnstile"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, problem, warning } from "../Finding.ts"

/** Checks that Turnstile answers and accepts the secret, if one is configured. */
export const humanCheck: Check = {
  name: "human check",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const turnstile = config?.turnstile ?? null
      if (turnstile === null)
        return [
          healthy("LEADLOOM_TURNSTILE_SECRET is not set: submissions of forms that require Turnstile are rejected.")
        ]
      const seen = yield* probeTurnstile(turnstile)
      switch (seen._tag) {
        case "Refused":
          return [healthy(`${turnstile.url} answers and accepts the secret.`)]
        case "Passed":
          return [
            warning(
              `${turnstile.url} accepts every submission with this secret.`,
              "The secret is a test secret. Set LEADLOOM_TURNSTILE_SECRET to the secret of your widget."
            )
          ]
        case "Failed":
          return [
            problem(
              `${turnstile.url} does not verify submissions: ${hide(seen.reason)}`,
              "Correct LEADLOOM_TURNSTILE_SECRET or LEADLOOM_TURNSTILE_URL, or wait until Turnstile answers. Until then, submissions of forms that require it are rejected."
            )
          ]
      }
    })
}
