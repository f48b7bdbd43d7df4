import { OAuth2Server } from "oauth2-mock-server"

/** The behaviour of the stand-in, which a test sets. */
export interface OAuthBehavior {
  /** Claims that replace those of the ID token; undefined removes one. */
  readonly claims: Record<string, unknown>
  /** The granted scopes; null: all requested ones. */
  scope: string | null
  /** The lifetime of access tokens in seconds. */
  lifetime: number
  /** Whether each refresh invalidates the former refresh token and returns a new one. */
  rotates: boolean
  /** Whether the owner has withdrawn the consent. */
  isRevoked: boolean
  /** A response of the token endpoint that replaces the normal one; null for none. */
  answer: { readonly status: number; readonly body: Readonly<Record<string, unknown>> } | null
}

/** An OAuth provider for tests: a third-party server that issues numbered tokens. */
export interface OAuthStandIn {
  readonly url: string
  readonly port: number
  readonly behavior: OAuthBehavior
  /** The parameters of the requests to the token endpoint, in order. */
  readonly requests: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** The number of requests to the revocation endpoint. */
  readonly revocations: () => number
  /** The access token that a mail server accepts: the newest one. */
  readonly accessToken: () => string
  /** Signs the owner in on the page of the URL, and returns the parameters of the redirect. */
  readonly signIn: (url: string) => Promise<{ readonly code: string; readonly state: string }>
  readonly close: () => Promise<void>
}

const change = (target: Record<string, unknown>, changes: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete target[name]
    else target[name] = value
  }
}

/** Starts a provider on a free port of 127.0.0.1. Its owner has the address. `onToken` is called with each access token. */
export const startOAuthStandIn = async (
  email: string,
  onToken: (accessToken: string) => void = () => undefined
): Promise<OAuthStandIn> => {
  const server = new OAuth2Server()
  await server.issuer.keys.generate("RS256")
  await server.start(0, "127.0.0.1")
  // Tokens name the issuer of the address at which the server listens, not of the name `localhost`.
  const url = `http://127.0.0.1:${server.address().port}`
  server.issuer.url = url
  const behavior: OAuthBehavior = {
    claims: { email, email_verified: true },
    scope: null,
    lifetime: 3_600,
    rotates: false,
    isRevoked: false,
    answer: null
  }
  const requests: Array<Readonly<Record<string, unknown>>> = []
  let revocations = 0
  let count = 0
  let refreshToken = ""
  let requestedScope = ""
  server.service.on("beforeAuthorizeRedirect", (_, { url: requested }) => {
    requestedScope = new URL(requested ?? "", url).searchParams.get("scope") ?? ""
  })
  server.service.on("beforeTokenSigning", ({ payload }) => change(payload, behavior.claims))
  server.service.on("beforeRevoke", () => {
    revocations += 1
  })
  server.service.on("beforeResponse", (response, { body }) => {
    requests.push({ ...body })
    const isWrong =
      body.grant_type === "refresh_token" && (behavior.isRevoked || body["refresh_token"] !== refreshToken)
    const refusal = { status: 400, body: { error: "invalid_grant", error_description: "The grant was revoked." } }
    const answer = behavior.answer ?? (isWrong ? refusal : null)
    if (answer !== null) {
      response.statusCode = answer.status
      response.body = answer.body
      return
    }
    count += 1
    if (behavior.rotates || body.grant_type !== "refresh_token") refreshToken = `refresh-token-${count}`
    const accessToken = `access-token-${count}`
    const issued = { access_token: accessToken, refresh_token: refreshToken, expires_in: behavior.lifetime }
    response.body = { ...response.body, ...issued, scope: behavior.scope ?? requestedScope }
    onToken(accessToken)
  })
  return {
    url,
    port: Number(new URL(url).port),
    behavior,
    requests,
    revocations: () => revocations,
    accessToken: () => `access-token-${count}`,
    signIn: async (page) => {
      const answer = await fetch(page, { redirect: "manual" })
      const { searchParams } = new URL(answer.headers.get("location") ?? "")
      return { code: searchParams.get("code") ?? "", state: searchParams.get("state") ?? "" }
    },
    close: () => server.stop()
  }
}
