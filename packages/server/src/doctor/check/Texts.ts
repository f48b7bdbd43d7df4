import { probeSms } from "@leadloom/connectors/internal/sms/SmsLayer"
import { Effect } from "effect"
import { smsAccounts } from "../../config/SmsVariables.ts"
import type { Check } from "../Check.ts"
import { healthy, problem } from "../Finding.ts"

/** Checks that the configured SMS providers answer and accept the credentials. */
export const texts: Check = {
  name: "texts",
  run: ({ config, hide }) => {
    const accounts = config === null ? [] : smsAccounts(config)
    if (accounts.length === 0)
      return Effect.succeed([healthy("LEADLOOM_TWILIO_ACCOUNT_SID is not set: texts are stored but not sent.")])
    return Effect.forEach(accounts, ([name, account]) =>
      Effect.map(probeSms(account), (reason) => {
        const { baseUrl } = account.provider
        if (reason === null) return healthy(`${baseUrl} answers and accepts the account.`)
        const next =
          name === "twilio"
            ? "Correct LEADLOOM_TWILIO_ACCOUNT_SID and its token or key, or wait until Twilio answers."
            : `Correct the variables of ${name}, or wait until ${account.provider.name} answers.`
        return problem(`The request to ${baseUrl} failed: ${hide(reason)}`, next)
      })
    )
  }
}
