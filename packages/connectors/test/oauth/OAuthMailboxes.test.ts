import type { HostedProvider } from "@leadloom/core/internal/domain/email/HostedMail"
import { OAuthProviders, type OAuthSecrets } from "@leadloom/core/internal/port/provider/OAuthProviders"
import { type OAuthStandIn, startOAuthStandIn } from "@leadloom/testkit/oidc/OAuthStandIn"
import { Effect, Layer, Redacted, Result } from "effect"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { once } from "node:events"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as NodeEgress from "../../src/egress/NodeEgress.ts"
import { googleClient, microsoftClient, type OAuthClient, personalDirectory } from "../../src/oauth/OAuthClient.ts"
import * as OAuthMailboxes from "../../src/oauth/OAuthMailboxes.ts"

const email = "sales@acme.com"
const directory = "72f988bf-86f1-41af-91ab-2d7cd011db47"
const secret = "secret-of-the-client"
const secrets: OAuthSecrets = { nonce: "nonce-of-this-sign-in", verifier: "v".repeat(43) }
const registration = {
  clientId: "client-1",
  clientSecret: Redacted.make(secret),
  redirectUri: "https://dashboard.example.com/email/connected"
}

let provider: OAuthStandIn
beforeEach(async () => {
  provider = await startOAuthStandIn(email)
})
afterEach(() => provider.close())

/** Returns the client of a family with the endpoints of a server. */
const clientAt = (family: HostedProvider, url = provider.url): OAuthClient => {
  const client =
    family === "google" ? googleClient(registration) : microsoftClient(registration, { directory: "common" })
  return {
    ...client,
    issuer: family === "google" ? provider.url : `${provider.url}/{tenantid}/v2.0`,
    authorizationUrl: `${url}/authorize`,
    tokenUrl: `${url}/token`,
    revocationUrl: family === "google" ? `${url}/revoke` : null
  }
}

type Port = OAuthProviders["Service"]

const run = <A, E>(
  use: (port: Port) => Effect.Effect<A, E>,
  client = clientAt("google"),
  allowHosts: ReadonlyArray<{ readonly host: string; readonly port: number }> = [
    { host: "127.0.0.1", port: Number(new URL(client.tokenUrl).port) }
  ]
) => {
  const layer = Layer.provide(OAuthMailboxes.layer([client]), NodeEgress.layer({ policy: { allowHosts } }))
  return Effect.runPromise(Effect.flatMap(OAuthProviders, use).pipe(Effect.provide(layer), Effect.result))
}

/** Signs the owner in, and exchanges the code. */
const signIn = async (family: HostedProvider, exchanged: Partial<OAuthSecrets> = {}) => {
  const client = clientAt(family)
  const url = await run(
    (port) => port.signInUrl({ ...secrets, provider: family, state: "state-1", email: null }),
    client
  )
  const { code } = await provider.signIn(Result.getOrThrow(url))
  return run((port) => port.exchange(code, { ...secrets, ...exchanged, provider: family }), client)
}

const failure = (
  result: Result.Result<unknown, { readonly reason: { readonly _tag: string }; readonly message: string }>
) =>
  Result.isFailure(result)
    ? { tag: result.failure.reason._tag, message: result.failure.message }
    : expect.fail("the request succeeded")

const refresh = (token: string, client = clientAt("google"), hosts?: Parameters<typeof run>[2]) =>
  run((port) => port.refresh(client.provider, token), client, hosts)

describe("a sign-in", () => {
  it("opens the page of Google with PKCE, the state, and the request for a refresh token", async () => {
    const signInUrl = (port: Port) => port.signInUrl({ ...secrets, provider: "google", state: "state-1", email })
    const { host, pathname, searchParams } = new URL(
      Result.getOrThrow(await run(signInUrl, googleClient(registration)))
    )
    expect(`${host}${pathname}`).toBe("accounts.google.com/o/oauth2/v2/auth")
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: "client-1",
      redirect_uri: registration.redirectUri,
      response_type: "code",
      scope: "openid email https://mail.google.com/",
      state: "state-1",
      nonce: secrets.nonce,
      // The SHA-256 of 43 times "v" in base64url.
      code_challenge: "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM",
      code_challenge_method: "S256",
      access_type: "offline",
      prompt: "consent",
      login_hint: email
    })
  })

  it("opens the page of Microsoft for the accounts of the directory", async () => {
    const signInUrl = (port: Port) => port.signInUrl({ ...secrets, provider: "microsoft", state: "s", email: null })
    const url = new URL(Result.getOrThrow(await run(signInUrl, microsoftClient(registration, { directory }))))
    expect(`${url.host}${url.pathname}`).toBe(`login.microsoftonline.com/${directory}/oauth2/v2.0/authorize`)
    expect(url.searchParams.get("scope")?.split(" ").toSorted()).toEqual([
      "email",
      "https://outlook.office.com/IMAP.AccessAsUser.All",
      "https://outlook.office.com/SMTP.Send",
      "offline_access",
      "openid",
      "profile"
    ])
  })

  it("returns the verified address, the servers and the tokens of a mailbox at Google", async () => {
    const mailbox = Result.getOrThrow(await signIn("google"))
    expect(mailbox).toMatchObject({
      email,
      imap: { host: "imap.gmail.com", port: 993, security: "tls" },
      smtp: { host: "smtp.gmail.com", port: 465, security: "tls" },
      tokens: { accessToken: "access-token-1", refreshToken: "refresh-token-1" }
    })
    expect(provider.requests).toMatchObject([
      {
        grant_type: "authorization_code",
        client_id: "client-1",
        client_secret: secret,
        code_verifier: secrets.verifier
      }
    ])
  })

  it("accepts each directory of Microsoft, and knows the SMTP server of personal accounts", async () => {
    const claimsOf = (tid: string) => ({ tid, iss: `${provider.url}/${tid}/v2.0`, email_verified: undefined })
    Object.assign(provider.behavior.claims, claimsOf(directory))
    expect(Result.getOrThrow(await signIn("microsoft")).smtp.host).toBe("smtp.office365.com")
    Object.assign(provider.behavior.claims, claimsOf(personalDirectory))
    expect(Result.getOrThrow(await signIn("microsoft")).smtp.host).toBe("smtp-mail.outlook.com")
    Object.assign(provider.behavior.claims, { email: undefined, preferred_username: "Jo@Acme.com" })
    expect(Result.getOrThrow(await signIn("microsoft")).email).toBe("jo@acme.com")
    Object.assign(provider.behavior.claims, { iss: `${provider.url}/${directory}/v2.0` })
    expect(failure(await signIn("microsoft")).tag).toBe("Refused")
  })

  it.each([
    ["nonce", { nonce: "nonce-of-another-sign-in" }],
    ["nonce", { nonce: undefined }],
    ["iss", { iss: "https://accounts.example.com" }],
    ["aud", { aud: "client-2" }],
    ["exp", { exp: 1_000_000 }],
    ["email", { email: undefined }],
    ["email", { email: "nobody" }],
    ["email", { email_verified: false }],
    ["email", { email_verified: undefined }]
  ])("rejects an ID token with a wrong %s: %j", async (name, claims) => {
    Object.assign(provider.behavior.claims, claims)
    const { message, tag } = failure(await signIn("google"))
    expect(tag).toBe("Refused")
    expect(message).toContain(name)
    expect(message).not.toContain("access-token")
  })

  it("rejects an unknown code, and another PKCE verifier", async () => {
    expect(failure(await run((port) => port.exchange("unknown", { ...secrets, provider: "google" }))).tag).toBe(
      "Refused"
    )
    expect(failure(await signIn("google", { verifier: "w".repeat(43) })).tag).toBe("Refused")
    expect(provider.requests).toEqual([])
  })

  it("rejects a consent without access to mail, and one without a refresh token", async () => {
    provider.behavior.scope = "openid email"
    expect(failure(await signIn("google"))).toMatchObject({
      tag: "Refused",
      message: expect.stringContaining("access to mail")
    })
    provider.behavior.scope = null
    const body = { access_token: "a", token_type: "Bearer", expires_in: 3_600 }
    provider.behavior.answer = { status: 200, body }
    expect(failure(await signIn("google")).tag).toBe("Refused")
  })

  it("needs a client at the provider", async () => {
    const exchanged = await run((port) => port.exchange("code", { ...secrets, provider: "microsoft" }))
    expect(failure(exchanged)).toEqual({ tag: "NotConfigured", message: "LEADLOOM_MICROSOFT_CLIENT_ID is not set" })
  })
})

describe("a renewal", () => {
  const answer = (status: number, body: Readonly<Record<string, unknown>>) => {
    provider.behavior.answer = { status, body }
  }

  it("returns a new access token, and keeps a refresh token that is not replaced", async () => {
    await signIn("google")
    expect(Result.getOrThrow(await refresh("refresh-token-1"))).toMatchObject({
      accessToken: "access-token-2",
      refreshToken: "refresh-token-1"
    })
    answer(200, { access_token: "short", token_type: "Bearer", expires_in: 60 })
    expect(Result.getOrThrow(await refresh("refresh-token-1"))).toMatchObject({ refreshToken: "refresh-token-1" })
    provider.behavior.answer = null
    provider.behavior.rotates = true
    expect(Result.getOrThrow(await refresh("refresh-token-1"))).toMatchObject({ refreshToken: "refresh-token-3" })
  })

  it.each(["invalid_grant", "interaction_required", "consent_required", "login_required"])(
    "requires a new sign-in after %s",
    async (error) => {
      answer(400, { error, error_description: "Token refresh-token-1 has been expired or revoked." })
      const { message, tag } = failure(await refresh("refresh-token-1"))
      expect(tag).toBe("SignedOut")
      expect(message).toContain(error)
      expect(message).not.toContain("refresh-token-1")
    }
  )

  it.each([
    [500, { error: "internal_failure" }],
    [503, { error: "invalid_grant" }],
    [429, { error: "invalid_grant" }],
    [400, { error: "temporarily_unavailable" }],
    [401, { error: "invalid_client", error_description: `The secret ${secret} has expired.` }],
    [400, { error: "unauthorized_client" }],
    [400, {}],
    [302, {}],
    [200, { token_type: "Bearer" }],
    [200, { access_token: "refresh-token-1", token_type: "mac" }]
  ])("requires no new sign-in after the response %i %j", async (status, body) => {
    answer(status, body)
    const { message, tag } = failure(await refresh("refresh-token-1"))
    expect(tag).toBe("Unavailable")
    expect(message).not.toContain("refresh-token-1")
    expect(message).not.toContain(secret)
  })

  it("requires no new sign-in without a response, and respects the rules for outbound requests", async () => {
    expect(failure(await refresh("refresh-token-1", clientAt("google"), [])).tag).toBe("Unavailable")
    expect(provider.requests).toEqual([])
    const closed = clientAt("google", "http://127.0.0.1:1")
    expect(failure(await refresh("refresh-token-1", closed)).tag).toBe("Unavailable")
  })

  it("reads at most 64 KiB of a response", async () => {
    answer(200, { access_token: "a".repeat(70_000), token_type: "Bearer" })
    expect(failure(await refresh("refresh-token-1")).tag).toBe("Unavailable")
  })
})

describe("another server", () => {
  let server: Server
  const received: Array<string> = []
  let status = 200
  beforeEach(async () => {
    received.length = 0
    status = 200
    server = createServer((request, response) => {
      request.on("data", (chunk: Buffer) => received.push(`${request.url ?? ""} ${chunk.toString()}`))
      request.on("end", () => response.writeHead(status, { "retry-after": "120" }).end())
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
  })
  afterEach(() => server.close())

  it("states the time of the next attempt", async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (status of [500, 503, 429]) {
      const result = await refresh("refresh-token-1", clientAt("google", url))
      expect(Result.isFailure(result) ? result.failure.reason : null).toMatchObject({
        _tag: "Unavailable",
        detail: `Google answers ${status}`,
        retryAfterMillis: 120_000
      })
    }
  })

  it("revokes the refresh token at Google, and does nothing at Microsoft", async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await run((port) => port.revoke("google", "refresh-token-1"), clientAt("google", url))
    await run((port) => port.revoke("microsoft", "refresh-token-1"), clientAt("microsoft", url))
    expect(received).toHaveLength(1)
    expect(received[0]).toContain("/revoke ")
    expect(received[0]).toContain("token=refresh-token-1")
  })
})
