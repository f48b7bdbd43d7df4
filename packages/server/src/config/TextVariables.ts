import { type SmsAdapter, smsAdapters, type SmsVariable } from "@leadloom/connectors/internal/sms/SmsAdapters"
import type { VariableEntry } from "./VariableEntry.ts"

/** The variables of SMS adapters. Each adapter describes its own variables. */
export const textVariables = Object.fromEntries(
  Object.values<SmsAdapter>(smsAdapters).flatMap(({ variables }) =>
    Object.entries(variables).map(([name, entry]) => [name, { group: "Texts (other providers)", ...entry } as const])
  )
) as Readonly<Record<SmsVariable, VariableEntry>>

/** The variables of the Twilio account, for texts and calls. */
export const twilioVariables = {
  LEADLOOM_TWILIO_ACCOUNT_SID: {
    group: "Texts and calls (Twilio)",
    default: null,
    text: "Account for SMS and calls. If unset, they are stored but not sent. See [SMS](../how-to/sms.md) and [voice](../how-to/voice.md)."
  },
  LEADLOOM_TWILIO_AUTH_TOKEN: {
    group: "Texts and calls (Twilio)",
    default: null,
    text: "Auth token of the account. It also verifies Twilio's webhooks."
  },
  LEADLOOM_TWILIO_FORMER_AUTH_TOKEN: {
    group: "Texts and calls (Twilio)",
    default: null,
    text: "The previous auth token, accepted during rotation."
  },
  LEADLOOM_TWILIO_API_KEY_SID: {
    group: "Texts and calls (Twilio)",
    default: null,
    text: "API key for requests to Twilio. Webhooks are still verified with the auth token."
  },
  LEADLOOM_TWILIO_API_KEY_SECRET: { group: "Texts and calls (Twilio)", default: null, text: "Secret of the API key." },
  LEADLOOM_TWILIO_API_URL: {
    group: "Texts and calls (Twilio)",
    default: "https://api.twilio.com",
    text: "Base URL of the API."
  }
} as const satisfies Readonly<Record<string, VariableEntry>>
