import { probeTwilio } from "@leadloom/connectors/twilio/ProbeTwilio"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, problem } from "../Finding.ts"

/** The account that texts and calls go through answers and takes the credentials, where one is configured. */
export const texts: Check = {
  name: "texts",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const twilio = config?.twilio ?? null
      if (twilio === null) return [healthy("LEADLOOM_TWILIO_ACCOUNT_SID is not set: texts are kept and sent nowhere.")]
      const reason = yield* probeTwilio(twilio)
      if (reason === null) return [healthy(`${twilio.apiUrl} answers for ${twilio.accountSid}.`)]
      const next = "Correct LEADLOOM_TWILIO_ACCOUNT_SID and its token or key, or wait until it answers."
      return [problem(`${twilio.apiUrl} cannot be asked: ${hide(reason)}`, next)]
    })
}
