import type { KeyObject } from "node:crypto"
import {
  type HighLevelConfig,
  defaultApiUrl,
  defaultAuthorizeUrl
} from "@leadloom/connectors/highlevel/HighLevelConfig"
import { readPublicKey } from "@leadloom/connectors/highlevel/HighLevelEvent"
import { Redacted } from "effect"
import { isHttpUrl, type Variables } from "./Variables.ts"

/** How to reach the app at the marketplace of HighLevel that locations are installed through. */
export interface CrmAccess extends HighLevelConfig {
  /** By what its webhooks prove themselves; none: its provider events are not taken. */
  readonly webhookKeys: ReadonlyArray<KeyObject>
}

/** https, or this machine: tokens go there. */
const isSafeUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.hash !== "") return false
  return (
    url.protocol === "https:" ||
    (url.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname))
  )
}

/** One key, or several one behind the other while the marketplace changes its own. */
const readKeys = ({ text, wrong }: Variables): ReadonlyArray<KeyObject> => {
  const pem = text("LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY")
  if (pem === null) return []
  const blocks = pem.replaceAll("\\n", "\n").split(/(?<=-----END PUBLIC KEY-----)/u)
  const keys = blocks.filter((block) => block.trim() !== "").map(readPublicKey)
  const read = keys.filter((key) => key !== null)
  return read.length === keys.length
    ? read
    : wrong("LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY", "has to be the Ed25519 public key of the marketplace, in PEM.", [])
}

/** The CRM; null where no app of it is named. */
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
    return wrong("LEADLOOM_CRM_CLIENT_SECRET", "is missing: the app's secret at the marketplace.", null)
  if (redirectUri === null || !isSafeUrl(redirectUri))
    return wrong("LEADLOOM_CRM_REDIRECT_URI", "has to be the https URL that owners of locations come back to.", null)
  if (!isHttpUrl(apiUrl) || !isSafeUrl(apiUrl))
    return wrong("LEADLOOM_CRM_API_URL", `has to be like ${defaultApiUrl}, not "${apiUrl}".`, null)
  if (!isSafeUrl(authorizeUrl))
    return wrong("LEADLOOM_CRM_AUTHORIZE_URL", `has to be like ${defaultAuthorizeUrl}, not "${authorizeUrl}".`, null)
  const url = apiUrl.replace(/(?<!\/)\/+$/u, "")
  return { apiUrl: url, authorizeUrl, clientId, clientSecret: Redacted.make(clientSecret), redirectUri, webhookKeys }
}
