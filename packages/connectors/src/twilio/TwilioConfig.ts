import { Redacted, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { maybe } from "../provider/Lenient.ts"
import { defaultVerdict, type Provider } from "../provider/Provider.ts"

/** The settings of the operator's Twilio account. Its numbers are assigned to tenants. */
export interface TwilioConfig {
  /** The base URL of the API: `https://api.twilio.com`, except in tests. */
  readonly apiUrl: string
  /** The SID of the account, `AC…`. */
  readonly accountSid: string
  /** Signs all webhooks. Also authenticates requests when there is no API key. */
  readonly authToken: Redacted.Redacted<string>
  /** An API key (`SK…`), which can be revoked separately; null to authenticate with the account's token. */
  readonly apiKey: { readonly sid: string; readonly secret: Redacted.Redacted<string> } | null
}

/** The version of Twilio's API in its paths. Twilio has not changed it since 2010. */
const apiVersion = "2010-04-01"

const Complaint = Schema.Struct({ code: maybe(Schema.Finite), message: maybe(Schema.String) })
const readComplaint = Schema.decodeUnknownOption(Complaint)

/** The call is not in progress (21220), or the object does not exist (20404). */
const goneCodes: ReadonlySet<string | null> = new Set(["21220", "20404"])

/**
 * Returns the description of Twilio for the provider client. Requests are never retried: a text or call must not be
 * repeated, and Twilio has no idempotency keys.
 */
export const twilioProvider = ({
  accountSid,
  apiKey,
  apiUrl,
  authToken
}: TwilioConfig): Omit<Provider, "service" | "http" | "timeoutMillis" | "maxBytes"> => {
  const [user, password] = apiKey === null ? [accountSid, authToken] : [apiKey.sid, apiKey.secret]
  return {
    name: "Twilio",
    baseUrl: `${apiUrl}/${apiVersion}/Accounts/${encodeURIComponent(accountSid)}`,
    authorize: HttpClientRequest.basicAuth(user, password),
    // The third secret is the content of the header: user and password in base64.
    secrets: [authToken, password, Redacted.make(`${user}:${Redacted.value(password)}`)],
    problemOf: (json, { status }) => {
      const complaint = readComplaint(json)
      const { code, message } = complaint._tag === "Some" ? complaint.value : {}
      const words = message?.trim() ?? ""
      const named = typeof code === "number" ? String(code) : `status ${status}`
      return { code: typeof code === "number" ? named : null, text: words === "" ? named : `${named}: ${words}` }
    },
    verdictOf: (status, { code }) => {
      if (status < 500 && goneCodes.has(code)) return "Gone"
      // Wrong credentials concern the operator's account and not the request.
      return status === 401 || status === 403 ? "Unavailable" : defaultVerdict(status)
    }
  }
}
