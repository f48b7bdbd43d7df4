/**
 * Sign-in to mailboxes at Google and Microsoft with the operator's own clients: authorization code with PKCE (RFC 6749,
 * RFC 7636), OpenID Connect, refresh and revocation. The library implements the protocols, and all requests use `Egress`.
 * Storing and sharing tokens does not belong here (`core/workflow/mailbox`). Tests: `packages/connectors/test/oauth`.
 */
import type { HostedProvider } from "@leadloom/core/internal/domain/email/HostedMail"
import type { OAuthTokens } from "@leadloom/core/internal/domain/mailbox/MailboxAccount"
import { refused } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import {
  clientMissing,
  OAuthProviders,
  type OAuthRequest,
  type OAuthSecrets
} from "@leadloom/core/internal/port/provider/OAuthProviders"
import { Egress } from "@leadloom/core/internal/port/system/Egress"
import { Clock, Effect, Layer, Redacted } from "effect"
import * as oauth from "oauth4webapi"
import type { OAuthClient } from "./OAuthClient.ts"
import { addressIn, isPersonal, issuerFor } from "./ReadIdToken.ts"
import { failureOf, fetchThrough, providerTitles, type TokenRequest } from "./TokenEndpoint.ts"

/** The tolerated difference between the clocks, in seconds. */
const toleranceSeconds = 60

/** The lifetime of an access token in seconds if the provider states none. Google and Microsoft state about an hour. */
const defaultLifetime = 600

/** The maximum lifetime of an access token in seconds. A longer one is renewed earlier. */
const maxLifetime = 86_400

const serverOf = (client: OAuthClient, issuer = client.issuer): oauth.AuthorizationServer => ({
  issuer,
  authorization_endpoint: client.authorizationUrl,
  token_endpoint: client.tokenUrl,
  ...(client.revocationUrl === null ? {} : { revocation_endpoint: client.revocationUrl }),
  // The tokens come from the token endpoint over TLS, which replaces their signature (OpenID Connect Core 3.1.3.7).
  id_token_signing_alg_values_supported: ["RS256"]
})

const signInUrl = async (client: OAuthClient, { email, nonce, state, verifier }: OAuthRequest): Promise<string> => {
  const url = new URL(client.authorizationUrl)
  const parameters = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope: [...client.scopes, ...client.mailScopes].join(" "),
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...client.parameters,
    ...(email === null ? {} : { login_hint: email })
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** The requests to one provider. */
const makeRequests = (client: OAuthClient, egress: Egress["Service"]) => {
  const secret = Redacted.value(client.clientSecret)
  const self: oauth.Client = { client_id: client.clientId, [oauth.clockTolerance]: toleranceSeconds }
  const auth = oauth.ClientSecretPost(secret)
  const options = {
    [oauth.customFetch]: fetchThrough(egress, providerTitles[client.provider]),
    // `Egress` permits `http` only for hosts that the operator names.
    [oauth.allowInsecureRequests]: true
  }
  const attempt = <A>(kind: TokenRequest, secrets: ReadonlyArray<string>, run: () => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (error) => failureOf(error, client.provider, kind, [secret, ...secrets]) })
  /** Returns the server with the issuer that the ID token of this response must have. */
  const issuing = async (response: Response): Promise<oauth.AuthorizationServer> => {
    const json: unknown = await response
      .clone()
      .json()
      .catch(() => null)
    const idToken = typeof json === "object" && json !== null && "id_token" in json ? json.id_token : null
    return serverOf(client, issuerFor(client, idToken))
  }
  return {
    exchange: (code: string, { nonce, verifier }: OAuthSecrets) =>
      attempt("exchange", [code, verifier], async () => {
        const server = serverOf(client)
        // The state was checked before this request, and the code is all that remains of the response.
        const returned = oauth.validateAuthResponse(server, self, new URLSearchParams({ code }), oauth.skipStateCheck)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          self,
          auth,
          returned,
          client.redirectUri,
          verifier,
          options
        )
        const checks = { expectedNonce: nonce, requireIdToken: true }
        const granted = await oauth.processAuthorizationCodeResponse(await issuing(response), self, response, checks)
        return { granted, claims: oauth.getValidatedIdTokenClaims(granted) ?? null }
      }),
    refresh: (refreshToken: string) =>
      attempt("refresh", [refreshToken], async () => {
        const response = await oauth.refreshTokenGrantRequest(serverOf(client), self, auth, refreshToken, options)
        return oauth.processRefreshTokenResponse(await issuing(response), self, response)
      }),
    revoke: (refreshToken: string) =>
      attempt("revoke", [refreshToken], async () => {
        const response = await oauth.revocationRequest(serverOf(client), self, auth, refreshToken, options)
        await oauth.processRevocationResponse(response)
      })
  }
}

/** Returns the tokens of a response. A response without a refresh token leaves the former one valid (RFC 6749, 6). */
const tokensOf = (granted: oauth.TokenEndpointResponse, refreshToken: string, now: number): OAuthTokens => ({
  accessToken: granted.access_token,
  refreshToken: granted.refresh_token ?? refreshToken,
  expiresAt: now + Math.min(granted.expires_in ?? defaultLifetime, maxLifetime) * 1_000
})

/** Returns the mail scopes that the owner has not granted. A response without scopes grants all (RFC 6749, 5.1). */
const missingScopes = ({ mailScopes }: OAuthClient, scope: string | undefined): ReadonlyArray<string> => {
  const granted = scope?.toLowerCase().split(" ")
  return granted === undefined ? [] : mailScopes.filter((each) => !granted.includes(each.toLowerCase()))
}

const makeProvider = (client: OAuthClient, egress: Egress["Service"]) => {
  const requests = makeRequests(client, egress)
  const title = providerTitles[client.provider]
  return {
    client,
    exchange: Effect.fnUntraced(function* (code: string, secrets: OAuthSecrets) {
      const { claims, granted } = yield* requests.exchange(code, secrets)
      const email = claims === null ? null : addressIn(client, claims)
      if (claims === null || email === null)
        return yield* refused("mail", `${title} returned no verified email address`)
      if (missingScopes(client, granted.scope).length > 0)
        return yield* refused("mail", "the owner did not grant access to mail. Sign in again and permit it")
      if (granted.refresh_token === undefined)
        return yield* refused(
          "mail",
          `${title} returned no refresh token. Remove the access of this app, and sign in again`
        )
      const smtp = isPersonal(claims) ? (client.personalSmtp ?? client.smtp) : client.smtp
      const tokens = tokensOf(granted, granted.refresh_token, yield* Clock.currentTimeMillis)
      return { email, imap: client.imap, smtp, tokens }
    }),
    refresh: (refreshToken: string) =>
      Effect.flatMap(requests.refresh(refreshToken), (granted) =>
        Effect.map(Clock.currentTimeMillis, (now) => tokensOf(granted, refreshToken, now))
      ),
    revoke: (refreshToken: string) => (client.revocationUrl === null ? Effect.void : requests.revoke(refreshToken))
  }
}

/** Signs owners of mailboxes in with the given clients, at most one for each provider. */
export const layer = (clients: ReadonlyArray<OAuthClient>): Layer.Layer<OAuthProviders, never, Egress> =>
  Layer.effect(
    OAuthProviders,
    Effect.map(Egress, (egress) => {
      const known = new Map(clients.map((client) => [client.provider, makeProvider(client, egress)]))
      const at = (provider: HostedProvider) =>
        Effect.suspend(() => {
          const found = known.get(provider)
          return found === undefined ? Effect.fail(clientMissing(provider)) : Effect.succeed(found)
        })
      return OAuthProviders.of({
        providers: [...known.keys()],
        redirectUriOf: (provider) => known.get(provider)?.client.redirectUri ?? null,
        signInUrl: (request) =>
          Effect.flatMap(at(request.provider), ({ client }) => Effect.promise(() => signInUrl(client, request))),
        exchange: (code, { provider, ...secrets }) =>
          Effect.flatMap(at(provider), ({ exchange }) => exchange(code, secrets)),
        refresh: (provider, token) => Effect.flatMap(at(provider), ({ refresh }) => refresh(token)),
        revoke: (provider, token) => Effect.flatMap(at(provider), ({ revoke }) => revoke(token))
      })
    })
  )
