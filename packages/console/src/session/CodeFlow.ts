import * as oauth from "oauth4webapi"
import { type Provider, type ProviderFailure, ProviderProblem } from "./Provider.ts"

/** The secrets of a sign-in between the request and the response of the provider. */
interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The tab keeps them while it shows the pages of the provider. Other tabs cannot finish the sign-in. */
const place = "leadloom.sign-in"

/** The time for the exchange of the code. */
const timeoutMillis = 15_000

/** The tolerated difference between the clocks, in seconds, as on the server. */
const toleranceSeconds = 60

const redirectUri = (): string => `${location.origin}/sign-in`

const serverOf = ({ endpoints, issuer }: Provider): oauth.AuthorizationServer => {
  if (endpoints === null) throw new ProviderProblem("unreachable")
  return {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    // The server verifies the signature and accepts these algorithms at most.
    id_token_signing_alg_values_supported: ["RS256", "PS256", "ES256", "EdDSA"]
  }
}

/** Opens the sign-in page of the provider. */
export const beginSignIn = async (provider: Provider): Promise<void> => {
  const url = new URL(serverOf(provider).authorization_endpoint ?? "")
  const pending: PendingSignIn = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier()
  }
  const parameters = {
    client_id: provider.clientId,
    redirect_uri: redirectUri(),
    response_type: "code",
    scope: "openid profile email",
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256"
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  sessionStorage.setItem(place, JSON.stringify(pending))
  location.assign(url)
}

/** Returns the secrets of the sign-in that this tab has started, once. */
const takePending = (): PendingSignIn => {
  const stored = sessionStorage.getItem(place)
  sessionStorage.removeItem(place)
  if (stored === null) throw new ProviderProblem("unknown")
  return JSON.parse(stored)
}

const failureOf = (error: unknown): ProviderFailure => {
  if (error instanceof oauth.AuthorizationResponseError) return error.error === "access_denied" ? "denied" : "refused"
  if (error instanceof oauth.ResponseBodyError) return error.error === "invalid_grant" ? "used" : "refused"
  // `fetch` rejects with these if the provider cannot be reached in time.
  if (error instanceof TypeError || error instanceof DOMException) return "unreachable"
  return "invalid"
}

/** Exchanges the code for an ID token. Fails if state, nonce, issuer or audience differ from those of the request. */
const exchange = async (provider: Provider, response: URLSearchParams, pending: PendingSignIn): Promise<string> => {
  const server = serverOf(provider)
  const client: oauth.Client = { client_id: provider.clientId, [oauth.clockTolerance]: toleranceSeconds }
  const parameters = oauth.validateAuthResponse(server, client, response, pending.state)
  const options = {
    // The server permits `http` only for a provider on the same machine.
    [oauth.allowInsecureRequests]: true,
    signal: AbortSignal.timeout(timeoutMillis)
  }
  const { verifier } = pending
  const granted = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri(),
    verifier,
    options
  )
  const checks = { expectedNonce: pending.nonce, requireIdToken: true }
  const { id_token: idToken } = await oauth.processAuthorizationCodeResponse(server, client, granted, checks)
  if (idToken === undefined) throw new ProviderProblem("invalid")
  return idToken
}

/** Finishes the sign-in that this tab has started, and returns the ID token. */
export const finishSignIn = async (provider: Provider, response: URLSearchParams): Promise<string> => {
  const pending = takePending()
  if (response.get("state") !== pending.state) throw new ProviderProblem("unknown")
  try {
    return await exchange(provider, response, pending)
  } catch (error) {
    throw error instanceof ProviderProblem ? error : new ProviderProblem(failureOf(error))
  }
}
