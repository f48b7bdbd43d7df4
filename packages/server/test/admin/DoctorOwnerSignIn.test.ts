import { createServer, type IncomingMessage } from "node:http"
import { googleClient, microsoftClient, type OAuthClient } from "@leadloom/connectors/internal/oauth/OAuthClient"
import { Effect, Redacted } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type ConsoleAddress, examineClient } from "../../src/doctor/check/OwnerSignIn.ts"

const secret = "secret-of-the-client"
const redirectUri = "https://leads.example.com/settings/email-account"
const registration = { clientId: "client-1", clientSecret: Redacted.make(secret), redirectUri }

let document: Readonly<Record<string, unknown>>
let status: number
let requests: Array<IncomingMessage>
let url: string
let server: ReturnType<typeof createServer>

beforeEach(async () => {
  requests = []
  status = 200
  server = createServer((request, response) => {
    requests.push(request)
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const console: ConsoleAddress = { publicUrl: "https://leads.example.com", console: true }

/** Returns the findings about a client whose discovery document is on the server of the test. */
const found = async (client: OAuthClient, address = console) => {
  const findings = await Effect.runPromise(
    examineClient({ ...client, discoveryUrl: `${url}/.well-known/openid-configuration` }, address, (text) => text)
  )
  for (const { advice, level } of findings) expect(advice === null).toBe(level === "ok")
  return findings.map((finding) => `${finding.level} ${finding.found}`)
}

const documentOf = ({ authorizationUrl, issuer, revocationUrl, tokenUrl }: OAuthClient) => ({
  issuer,
  authorization_endpoint: authorizationUrl,
  token_endpoint: tokenUrl,
  ...(revocationUrl === null ? {} : { revocation_endpoint: revocationUrl })
})

const google = googleClient(registration)
const healthyGoogle = "ok Google answers with the endpoints of the client client-1. Its secret was not sent."

describe("the doctor on the sign-in of owners", () => {
  it("compares the endpoints with the discovery document, and sends no credential", async () => {
    document = documentOf(google)
    expect(await found(google)).toEqual([healthyGoogle])
    expect(requests).toHaveLength(1)
    const [request] = requests
    expect([request?.method, request?.url]).toEqual(["GET", "/.well-known/openid-configuration"])
    const sent = JSON.stringify([request?.headers, request?.url])
    for (const hidden of [secret, "client-1", "authorization"]) expect(sent).not.toContain(hidden)
  })

  it("reports other endpoints, and requests none of them", async () => {
    document = { ...documentOf(google), token_endpoint: `${url}/token`, revocation_endpoint: undefined }
    expect(await found(google)).toEqual([
      `problem The discovery document of Google has the token_endpoint ${url}/token, but this server uses ${google.tokenUrl}.`,
      `problem The discovery document of Google names no revocation_endpoint, but this server uses ${google.revocationUrl}.`
    ])
    expect(requests).toHaveLength(1)
  })

  it("reports a provider that does not answer", async () => {
    document = {}
    status = 404
    expect(await found(google)).toEqual([
      `problem The discovery document of Google is not available: ${url}/.well-known/openid-configuration answers 404`
    ])
  })

  it.each([
    ["common", "{tenantid}"],
    ["consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"],
    ["contoso.com", "72f988bf-86f1-41af-91ab-2d7cd011db47"]
  ])("accepts the document of the directory %s at Microsoft", async (directory, issuing) => {
    const client = microsoftClient(registration, { directory })
    document = {
      ...documentOf(client),
      issuer: `https://login.microsoftonline.com/${issuing}/v2.0`,
      token_endpoint: `https://login.microsoftonline.com/${issuing === "{tenantid}" ? directory : issuing}/oauth2/v2.0/token`
    }
    expect(await found(client)).toEqual([
      "ok Microsoft answers with the endpoints of the client client-1. Its secret was not sent."
    ])
    document = { ...document, issuer: `https://login.microsoftonline.us/${issuing}/v2.0` }
    expect(await found(client)).toEqual([
      expect.stringMatching(/^problem .* has the issuer https:\/\/login\.microsoftonline\.us/u)
    ])
  })

  it("compares the redirect URI with the console of this server", async () => {
    document = documentOf(google)
    const at = (uri: string, address?: ConsoleAddress) => found({ ...google, redirectUri: uri }, address)
    expect(await at(redirectUri, { ...console, publicUrl: null })).toEqual([healthyGoogle])
    expect(await at("https://dashboard.example.com/connected", { publicUrl: null, console: false })).toEqual([
      healthyGoogle
    ])
    expect(await at("https://other.example.com/settings/email-account")).toEqual([
      healthyGoogle,
      "problem LEADLOOM_MAILBOX_REDIRECT_URI is on https://other.example.com, but LEADLOOM_PUBLIC_URL is https://leads.example.com: owners return to another server."
    ])
    expect(await at(redirectUri, { ...console, console: false })).toEqual([
      healthyGoogle,
      "problem LEADLOOM_MAILBOX_REDIRECT_URI is a page of the console, but LEADLOOM_CONSOLE is off."
    ])
    expect(await at(`${redirectUri}/`)).toEqual([
      healthyGoogle,
      "warning LEADLOOM_MAILBOX_REDIRECT_URI ends with a slash, so the console has no button for the sign-in."
    ])
  })
})
