import type { Redacted } from "effect"

/** How this server speaks to Twilio: the one account of the operator, whose numbers are lent to tenants. */
export interface TwilioConfig {
  /** `https://api.twilio.com`, or where a stand-in listens. */
  readonly apiUrl: string
  /** `AC…` */
  readonly accountSid: string
  /** What webhooks are signed with, always; and what requests are made with where there is no API key. */
  readonly authToken: Redacted.Redacted<string>
  /** A key (`SK…`) that can be taken back by itself; null: requests are made with the token of the account. */
  readonly apiKey: { readonly sid: string; readonly secret: Redacted.Redacted<string> } | null
}

/** Version of the API; it has not changed since. */
const apiVersion = "2010-04-01"

/** The address of something of the account, without its ending; null when one of the ids cannot be a step of a path. */
export const endpoint = ({ accountSid, apiUrl }: TwilioConfig, steps: ReadonlyArray<string>): string | null => {
  // `..` would lead to something else, however it is encoded.
  if (steps.some((step) => /^\.{0,2}$/u.test(step))) return null
  const path = [apiVersion, "Accounts", accountSid, ...steps].map((step) => encodeURIComponent(step.toWellFormed()))
  return `${apiUrl.replace(/(?<!\/)\/+$/u, "")}/${path.join("/")}`
}
