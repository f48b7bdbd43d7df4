import type { TwilioConfig } from "@leadloom/connectors/twilio/TwilioConfig"
import { Redacted } from "effect"
import { isHttpUrl, type Variables } from "./Variables.ts"

/** How to reach the operator's account at Twilio, and to recognise what comes from there. */
export interface TwilioAccess extends TwilioConfig {
  /** The token before the present one, while it is changed; null: there is none. */
  readonly formerAuthToken: Redacted.Redacted<string> | null
}

/** Where providers call this server, without a slash at the end; null: nowhere. Signatures are over this, not over a Host. */
export const readPublicUrl = ({ text, wrong }: Variables): string | null => {
  const url = text("LEADLOOM_PUBLIC_URL")
  if (url === null || isHttpUrl(url)) return url?.replace(/(?<!\/)\/+$/u, "") ?? null
  return wrong("LEADLOOM_PUBLIC_URL", `has to be like https://leads.example.com, not "${url}".`, null)
}

const sid = (prefix: string): RegExp => new RegExp(`^${prefix}[0-9a-fA-F]{32}$`, "u")

const readApiKey = ({ secret, text, wrong }: Variables): TwilioConfig["apiKey"] => {
  const keySid = text("LEADLOOM_TWILIO_API_KEY_SID")
  const keySecret = secret("LEADLOOM_TWILIO_API_KEY_SECRET")
  if (keySid === null && keySecret === null) return null
  if (keySid === null || !sid("SK").test(keySid)) {
    return wrong("LEADLOOM_TWILIO_API_KEY_SID", "has to be the SID of the key: SK and 32 hexadecimal digits.", null)
  }
  if (keySecret === null) return wrong("LEADLOOM_TWILIO_API_KEY_SECRET", "is missing: the key's secret.", null)
  return { sid: keySid, secret: Redacted.make(keySecret) }
}

/** The account at Twilio; null where none is named: nothing leaves this machine by text or telephone then. */
export const readTwilio = (variables: Variables): TwilioAccess | null => {
  const { secret, text, wrong } = variables
  const accountSid = text("LEADLOOM_TWILIO_ACCOUNT_SID")
  const authToken = secret("LEADLOOM_TWILIO_AUTH_TOKEN")
  const former = secret("LEADLOOM_TWILIO_FORMER_AUTH_TOKEN")
  const apiKey = readApiKey(variables)
  const apiUrl = text("LEADLOOM_TWILIO_API_URL") ?? "https://api.twilio.com"
  if (accountSid === null) {
    if (authToken !== null) wrong("LEADLOOM_TWILIO_ACCOUNT_SID", "is missing: the SID of the account.", null)
    return null
  }
  if (!sid("AC").test(accountSid)) {
    return wrong("LEADLOOM_TWILIO_ACCOUNT_SID", "has to be the SID of the account: AC and 32 hexadecimal digits.", null)
  }
  if (authToken === null) {
    return wrong("LEADLOOM_TWILIO_AUTH_TOKEN", "is missing: what comes from Twilio is signed with it.", null)
  }
  if (text("LEADLOOM_PUBLIC_URL") === null) {
    return wrong("LEADLOOM_PUBLIC_URL", "is missing: where Twilio calls this server.", null)
  }
  if (!isHttpUrl(apiUrl)) {
    return wrong("LEADLOOM_TWILIO_API_URL", `has to be like https://api.twilio.com, not "${apiUrl}".`, null)
  }
  return {
    apiUrl: apiUrl.replace(/(?<!\/)\/+$/u, ""),
    accountSid,
    authToken: Redacted.make(authToken),
    formerAuthToken: former === null ? null : Redacted.make(former),
    apiKey
  }
}
