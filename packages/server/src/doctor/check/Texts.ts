import { probeTwilio } from "@leadloom/connectors/twilio/TwilioSms"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, problem } from "../Finding.ts"

/** Checks that Twilio answers and accepts the credentials, if they are configured. */
export const texts: Check = {
  name: "texts",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const twilio = config?.twilio ?? null
      if (twilio === null) return [healthy("LEADLOOM_TWILIO_ACCOUNT_SID is not set: texts are stored but not sent.")]
      const reason = yield* probeTwilio(twilio)
      if (reason === null) return [healthy(`${twilio.apiUrl} answers for ${twilio.accountSid}.`)]
      const next = "Correct LEADLOOM_TWILIO_ACCOUNT_SID and its token or key, or wait until Twilio answers."
      return [problem(`The request to ${twilio.apiUrl} failed: ${hide(reason)}`, next)]
    })
}
