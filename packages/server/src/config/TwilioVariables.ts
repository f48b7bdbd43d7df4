import type { TwilioConfig } from "@leadloom/connectors/internal/twilio/TwilioConfig"
import { Redacted } from "effect"
import { isHttpUrl, type Variables } from "./Variables.ts"

/** The access to the operator's Twilio account, and the tokens that verify its webhooks. */
export interface TwilioAccess extends TwilioConfig {
  /** The previous auth token, which is accepted during a rotation; null without one. */
  readonly formerAuthToken: Redacted.Redacted<string> | null
}

/**
 * Reads the URL at which providers reach this server, without a trailing slash; null if it is not set. Providers
 * include this URL in their signatures. The operator configures the URL, because the `Host` header of a request can be
 * forged.
 */
export const readPublicUrl = ({ text, wrong }: Variables): string | null => {
  const url = text("LEADLOOM_PUBLIC_URL")
  if (url === null || isHttpUrl(url)) return url?.replace(/(?<!\/)\/+$/u, "") ?? null
  return wrong("LEADLOOM_PUBLIC_URL", `must have the form https://leads.example.com, not "${url}".`, null)
}

const sid = (prefix: string): RegExp => new RegExp(`^${prefix}[0-9a-fA-F]{32}$`, "u")

const readApiKey = ({ secret, text, wrong }: Variables): TwilioConfig["apiKey"] => {
  const keySid = text("LEADLOOM_TWILIO_API_KEY_SID")
  const keySecret = secret("LEADLOOM_TWILIO_API_KEY_SECRET")
  if (keySid === null && keySecret === null) return null
  if (keySid === null || !sid("SK").test(keySid)) {
    return wrong("LEADLOOM_TWILIO_API_KEY_SID", "must be the SID of an API key: SK and 32 hexadecimal digits.", null)
  }
  if (keySecret === null)
    return wrong("LEADLOOM_TWILIO_API_KEY_SECRET", "is missing. Set it to the secret of the API key.", null)
  return { sid: keySid, secret: Redacted.make(keySecret) }
}

/** Reads the Twilio account; null if none is configured. Without an account, SMS and calls are stored but not sent. */
export const readTwilio = (variables: Variables): TwilioAccess | null => {
  const { secret, text, wrong } = variables
  const accountSid = text("LEADLOOM_TWILIO_ACCOUNT_SID")
  const authToken = secret("LEADLOOM_TWILIO_AUTH_TOKEN")
  const former = secret("LEADLOOM_TWILIO_FORMER_AUTH_TOKEN")
  const apiKey = readApiKey(variables)
  const apiUrl = text("LEADLOOM_TWILIO_API_URL") ?? "https://api.twilio.com"
  if (accountSid === null) {
    if (authToken !== null) wrong("LEADLOOM_TWILIO_ACCOUNT_SID", "is missing. Set it to the SID of the account.", null)
    return null
  }
  if (!sid("AC").test(accountSid)) {
    return wrong("LEADLOOM_TWILIO_ACCOUNT_SID", "must be the SID of the account: AC and 32 hexadecimal digits.", null)
  }
  if (authToken === null) {
    return wrong("LEADLOOM_TWILIO_AUTH_TOKEN", "is missing. It verifies the signatures of Twilio's webhooks.", null)
  }
  if (text("LEADLOOM_PUBLIC_URL") === null) {
    return wrong("LEADLOOM_PUBLIC_URL", "is missing. Set it to the URL at which Twilio reaches this server.", null)
  }
  if (!isHttpUrl(apiUrl)) {
    return wrong("LEADLOOM_TWILIO_API_URL", `must have the form https://api.twilio.com, not "${apiUrl}".`, null)
  }
  return {
    apiUrl: apiUrl.replace(/(?<!\/)\/+$/u, ""),
    accountSid,
    authToken: Redacted.make(authToken),
    formerAuthToken: former === null ? null : Redacted.make(former),
    apiKey
  }
}
