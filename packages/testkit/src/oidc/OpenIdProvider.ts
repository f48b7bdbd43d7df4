/** A certified OpenID provider with the authorization code flow, for tests of the sign-in. Forged tokens do not belong here. */
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK, generateKeyPair } from "jose"
import Provider, { type Configuration } from "oidc-provider"

/** People by id, with the provider's claims about them. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A running provider with one client. */
export interface OpenIdProvider {
  readonly issuer: string
  readonly clientId: string
  /** The redirect URI of its client, on any port (RFC 8252 section 7.3). */
  readonly redirectUri: string
  /** Sets the person who signs in, unless the request contains a `login_hint`; null denies the sign-in. */
  readonly setPerson: (id: string | null) => void
  readonly close: () => void
}

const clientId = "console"
const redirectUri = "http://127.0.0.1/sign-in"
const scopes = "openid profile email"

const configuration = async (people: People): Promise<Configuration> => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true })
  return {
    clients: [
      {
        client_id: clientId,
        redirect_uris: [redirectUri],
        application_type: "native",
        token_endpoint_auth_method: "none",
        id_token_signed_response_alg: "ES256"
      }
    ],
    clientBasedCORS: () => true,
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "first", alg: "ES256", use: "sig" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ["sub", "role", "tenants"], profile: ["name"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    // Skips the consent page.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? "" })
      grant.addOIDCScope(scopes)
      await grant.save()
      return grant
    }
  }
}

/** Starts a provider on a free port. */
export const startOpenIdProvider = async (people: People): Promise<OpenIdProvider> => {
  let person: string | null = null
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.startsWith("/interaction/") !== true) return provider.callback()(request, response)
    const { params, prompt } = await provider.interactionDetails(request, response)
    const accountId = typeof params["login_hint"] === "string" ? params["login_hint"] : person
    if (accountId === null) return provider.interactionFinished(request, response, { error: "access_denied" })
    await provider.interactionFinished(
      request,
      response,
      prompt.name === "login" ? { login: { accountId } } : { consent: {} }
    )
  }
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, await configuration(people))
  return {
    issuer,
    clientId,
    redirectUri,
    setPerson: (id) => {
      person = id
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
