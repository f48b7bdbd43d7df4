import {
  googleClient,
  microsoftClient,
  microsoftClouds,
  type MicrosoftPlace,
  type OAuthClient,
  type OAuthRegistration
} from "@leadloom/connectors/internal/oauth/OAuthClient"
import { isSafeUrl } from "@leadloom/connectors/internal/oidc/Discovery"
import { Redacted } from "effect"
import type { Variables } from "./Variables.ts"

const googleNames = { id: "LEADLOOM_GOOGLE_CLIENT_ID", secret: "LEADLOOM_GOOGLE_CLIENT_SECRET" } as const
const microsoftNames = { id: "LEADLOOM_MICROSOFT_CLIENT_ID", secret: "LEADLOOM_MICROSOFT_CLIENT_SECRET" } as const

/** Reads the client at one provider; null if none is configured. */
const readRegistration = (
  { secret, text, wrong }: Variables,
  names: typeof googleNames | typeof microsoftNames
): OAuthRegistration | null => {
  const clientId = text(names.id)
  const clientSecret = secret(names.secret)
  const redirectUri = text("LEADLOOM_MAILBOX_REDIRECT_URI")
  if (clientId === null) {
    return clientSecret === null ? null : wrong(names.id, "is missing. Set it to the client id at the provider.", null)
  }
  if (clientSecret === null)
    return wrong(names.secret, "is missing. Set it to the client secret at the provider.", null)
  if (redirectUri === null || !isSafeUrl(redirectUri))
    return wrong("LEADLOOM_MAILBOX_REDIRECT_URI", "must be the https URL to which owners return after consent.", null)
  return { clientId, clientSecret: Redacted.make(clientSecret), redirectUri }
}

/** The names of the accounts that may sign in, and the ids and domains of directories. */
const directoryName = /^[\w-]+(?:\.[\w-]+)*$/u

/** A host name with at least two labels, in lower case. */
const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/u

/** Reads the directory, the cloud and the mail servers at Microsoft; null if one of them is not valid. */
const readPlace = ({ choice, text, wrong }: Variables): MicrosoftPlace | null => {
  const directory = text("LEADLOOM_MICROSOFT_TENANT") ?? "common"
  if (!directoryName.test(directory))
    return wrong("LEADLOOM_MICROSOFT_TENANT", `must be common or a directory, not "${directory}".`, null)
  const cloud = choice("LEADLOOM_MICROSOFT_CLOUD", microsoftClouds, "global")
  const [imapHost, smtpHost] = (["LEADLOOM_MICROSOFT_IMAP_HOST", "LEADLOOM_MICROSOFT_SMTP_HOST"] as const).map(
    (name) => {
      const host = text(name)?.toLowerCase() ?? null
      return host === null || hostName.test(host) ? host : wrong(name, `must be a host name, not "${host}".`, null)
    }
  )
  return { directory, cloud, imapHost: imapHost ?? null, smtpHost: smtpHost ?? null }
}

/** Reads the operator's clients at Google and Microsoft. */
export const readOAuthClients = (variables: Variables): ReadonlyArray<OAuthClient> => {
  const google = readRegistration(variables, googleNames)
  const microsoft = readRegistration(variables, microsoftNames)
  const place = readPlace(variables)
  return [
    ...(google === null ? [] : [googleClient(google)]),
    ...(microsoft === null || place === null ? [] : [microsoftClient(microsoft, place)])
  ]
}
