import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { fetchObject, type IssuerDocument, type IssuerUnavailable, withinTimeout } from "../oidc/Discovery.ts"
import { layerFetch } from "../provider/Fetch.ts"
import type { OAuthClient } from "./OAuthClient.ts"

/** A URL of the provider's discovery document that differs from the one that the server uses. */
export interface UrlDifference {
  readonly name: string
  readonly expected: string
  /** The URL in the document; null if it contains none. */
  readonly found: string | null
}

/** A directory in a URL of Microsoft: a name, an id, or the placeholder of the document for all directories. */
const directoryPart = /^\/(?:%7Btenantid%7D|[\w.-]+)\//u

/**
 * Returns a URL without the directory of Microsoft. The document of a domain, and the one of personal accounts, names the
 * id of its directory.
 */
const comparable = ({ provider }: OAuthClient, url: string): string => {
  const parsed = URL.parse(url)
  if (parsed === null || provider !== "microsoft") return url
  return `${parsed.origin}${parsed.pathname.replace(directoryPart, "/directory/")}${parsed.search}`
}

const differencesIn = (client: OAuthClient, document: IssuerDocument): ReadonlyArray<UrlDifference> => {
  const { authorizationUrl, issuer, revocationUrl, tokenUrl } = client
  const expected = {
    issuer,
    authorization_endpoint: authorizationUrl,
    token_endpoint: tokenUrl,
    ...(revocationUrl === null ? {} : { revocation_endpoint: revocationUrl })
  }
  return Object.entries(expected).flatMap(([name, url]) => {
    const given = document[name]
    const found = typeof given === "string" ? given.slice(0, 200) : null
    return found !== null && comparable(client, found) === comparable(client, url)
      ? []
      : [{ name, expected: url, found }]
  })
}

/**
 * Reads the discovery document of a client's provider, and returns the URLs that differ from those to which the server
 * sends its secret. Sends a `GET` without any credential, and follows no URL of the document.
 */
export const probeClient = (client: OAuthClient): Effect.Effect<ReadonlyArray<UrlDifference>, IssuerUnavailable> =>
  withinTimeout(
    client.discoveryUrl,
    Effect.flatMap(HttpClient.HttpClient, (http) => fetchObject(http, client.discoveryUrl)).pipe(
      Effect.map((document) => differencesIn(client, document)),
      Effect.provide(layerFetch)
    )
  )
