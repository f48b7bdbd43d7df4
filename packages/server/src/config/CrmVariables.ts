import type { KeyObject } from "node:crypto"
import {
  type HighLevelConfig,
  defaultApiUrl,
  defaultAuthorizeUrl
} from "@leadloom/connectors/internal/highlevel/HighLevelConfig"
import { readPublicKey } from "@leadloom/connectors/internal/highlevel/HighLevelEvent"
import { Redacted } from "effect"
import { isHttpUrl, type Variables } from "./Variables.ts"

/** The access to the HighLevel marketplace app through which locations are installed. */
export interface CrmAccess extends HighLevelConfig {
  /** The keys that verify the marketplace's webhooks. If the list is empty, webhooks are rejected. */
  readonly webhookKeys: ReadonlyArray<KeyObject>
}

/** Returns whether a URL uses https, or refers to this machine with http. Requests to it contain access tokens. */
const isSafeUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.hash !== "") return false
  return (
    url.protocol === "https:" ||
    (url.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname))
  )
}

/** Reads the public keys. The variable contains several keys while the marketplace rotates its key. */
const readKeys = ({ text, wrong }: Variables): ReadonlyArray<KeyObject> => {
  const pem = text("LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY")
  if (pem === null) return []
  const blocks = pem.replaceAll("\\n", "\n").split(/(?<=-----END PUBLIC KEY-----)/u)
  const keys = blocks.filter((block) => block.trim() !== "").map(readPublicKey)
  const read = keys.filter((key) => key !== null)
  return read.length === keys.length
    ? read
    : wrong("LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY", "must be Ed25519 public keys of the marketplace in PEM.", [])
}

/** Reads the CRM configuration; null if no app is configured. */
export const readCrm = (variables: Variables): CrmAccess | null => {
  const { secret, text, wrong } = variables
  const clientId = text("LEADLOOM_CRM_CLIENT_ID")
  const clientSecret = secret("LEADLOOM_CRM_CLIENT_SECRET")
  const redirectUri = text("LEADLOOM_CRM_REDIRECT_URI")
  const apiUrl = text("LEADLOOM_CRM_API_URL") ?? defaultApiUrl
  const authorizeUrl = text("LEADLOOM_CRM_AUTHORIZE_URL") ?? defaultAuthorizeUrl
  const webhookKeys = readKeys(variables)
  if (clientId === null) return null
  if (clientSecret === null)
    return wrong("LEADLOOM_CRM_CLIENT_SECRET", "is missing. Set it to the client secret of the marketplace app.", null)
  if (redirectUri === null || !isSafeUrl(redirectUri))
    return wrong(
      "LEADLOOM_CRM_REDIRECT_URI",
      "must be the https URL to which location owners return after consent.",
      null
    )
  if (!isHttpUrl(apiUrl) || !isSafeUrl(apiUrl))
    return wrong("LEADLOOM_CRM_API_URL", `must have the form ${defaultApiUrl}, not "${apiUrl}".`, null)
  if (!isSafeUrl(authorizeUrl))
    return wrong(
      "LEADLOOM_CRM_AUTHORIZE_URL",
      `must have the form ${defaultAuthorizeUrl}, not "${authorizeUrl}".`,
      null
    )
  const url = apiUrl.replace(/(?<!\/)\/+$/u, "")
  return { apiUrl: url, authorizeUrl, clientId, clientSecret: Redacted.make(clientSecret), redirectUri, webhookKeys }
}
