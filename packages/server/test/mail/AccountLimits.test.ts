import { googleClient } from "@leadloom/connectors/internal/oauth/OAuthClient"
import { type ImapStandIn, startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { startSubmission, type SubmissionServer } from "@leadloom/testkit/mail/SubmissionServer"
import { type OAuthStandIn, startOAuthStandIn } from "@leadloom/testkit/oidc/OAuthStandIn"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Redacted, Scope } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { adminKey, type Answer, at, startServer, type TestServer, textAt } from "../world/TestServer.ts"

const password = "correct horse battery"
const base = "/api/v1/tenants/acme"
const [office, sales, support] = ["office@acme.com", "sales@acme.com", "support@acme.com"] as const

let accounts: Record<string, string>
let imap: ImapStandIn
let byPassword: SubmissionServer
let byToken: SubmissionServer
let provider: OAuthStandIn
let server: TestServer
let scope: Scope.Closeable

/** Starts a server that permits two accounts per tenant, and a tenant. */
const begin = async (database: "sqlite" | "postgres"): Promise<void> => {
  scope = Effect.runSync(Scope.make())
  accounts = { [office]: password, [sales]: password, [support]: password }
  imap = await startImapStandIn({ accounts })
  byPassword = await startSubmission({ password })
  provider = await startOAuthStandIn(sales, (token) => {
    accounts[String(provider.behavior.claims["email"])] = token
  })
  byToken = await startSubmission({ accessToken: () => provider.accessToken() })
  const url = database === "sqlite" ? null : await Effect.runPromise(Scope.provide(migratedDatabase, scope))
  const registration = {
    clientId: "client-1",
    clientSecret: Redacted.make("secret-of-the-client"),
    redirectUri: "https://dashboard.example.com/email/connected"
  }
  const local = (port: number) => ({ host: "127.0.0.1", port, security: "none" }) as const
  const client = {
    ...googleClient(registration),
    issuer: provider.url,
    authorizationUrl: `${provider.url}/authorize`,
    tokenUrl: `${provider.url}/token`,
    revocationUrl: `${provider.url}/revoke`,
    imap: local(imap.port),
    smtp: local(byToken.port)
  }
  server = startServer(
    {
      ...(url === null ? {} : { LEADLOOM_DATABASE_URL: url }),
      LEADLOOM_SECRET_KEY: "the-secret-key-of-the-tests-of-the-limit",
      LEADLOOM_EMAIL_ACCOUNTS_PER_TENANT: "2",
      LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${provider.port}`,
      LEADLOOM_MAILBOX_ALLOW_HOSTS: [imap, byPassword, byToken].map(({ port }) => `127.0.0.1:${port}`).join(",")
    },
    undefined,
    (config) => ({ ...config, oauthClients: [client] })
  )
  await call("POST", "/api/v1/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
}

afterEach(async () => {
  await server.close()
  await Promise.all([imap, byPassword, byToken, provider].map((each) => each.close()))
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  server.call(method, path, { as: adminKey, ...(body === undefined ? {} : { body }) })

const withPassword = (email: string): Promise<Answer> => {
  const on = (port: number) => ({ host: "127.0.0.1", port, security: "none" })
  return call("POST", `${base}/email/connect`, {
    provider: "imap",
    email,
    password,
    imap: on(imap.port),
    smtp: on(byPassword.port)
  })
}

/** Signs the owner of an address in at the provider, up to the return to this server. */
const visit = async (email: string) => {
  provider.behavior.claims["email"] = email
  const answer = await call("GET", `${base}/email/auth-url?provider=google`)
  return answer.status === 200 ? provider.signIn(textAt(answer.json, "url")) : answer
}

const callback = (parameters: object) => call("POST", `${base}/email/callback`, parameters)

const grants = async () => {
  const found = at((await call("GET", `${base}/email/grants`)).json, "grants")
  return Array.isArray(found) ? found.map((each) => [at(each, "email"), at(each, "grant_id"), at(each, "status")]) : []
}

const full = { status: 409, code: "CONNECTION_EXISTS" }

describe.each(["sqlite", "postgres"] as const)(
  "the limit of accounts with a password and with OAuth on %s",
  (database) => {
    it("counts both kinds, and lets connected owners sign in again in either way", async () => {
      await begin(database)
      const first = textAt((await withPassword(office)).json, "grant_id")
      const second = textAt((await callback(await visit(sales))).json, "grant_id")
      const connected = [
        [office, first, "active"],
        [sales, second, "active"]
      ]
      expect(await grants()).toEqual(connected)
      // A third account is refused, whichever way it takes.
      accounts[support] = password
      expect(await withPassword(support)).toMatchObject(full)
      expect(await call("POST", `${base}/email/connect`, { provider: "smtp", email: support })).toMatchObject(full)
      expect(await callback(await visit(support))).toMatchObject(full)
      expect(await grants()).toEqual(connected)
      // Connected owners keep their accounts, also when they change from a password to OAuth or back.
      expect(textAt((await callback(await visit(sales))).json, "grant_id")).toBe(second)
      expect(textAt((await callback(await visit(office))).json, "grant_id")).toBe(first)
      accounts[sales] = password
      expect(textAt((await withPassword(sales)).json, "grant_id")).toBe(second)
      expect(await grants()).toEqual(connected)
      // A free place can be taken again.
      expect((await call("DELETE", `${base}/email/grants/${second}`)).status).toBe(204)
      expect((await callback(await visit(support))).status).toBe(201)
      expect((await grants()).map(([email]) => email)).toEqual([office, support])
    })

    it("gives the last place to one of two owners, and stores nothing of the other one", async () => {
      await begin(database)
      await withPassword(office)
      // The sign-in starts while a place is free, and ends when it may be taken.
      const returned = await visit(sales)
      const answers = await Promise.all([callback(returned), withPassword(support)])
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toMatchObject([full])
      const emails = (await grants()).map(([email]) => email)
      expect(emails).toHaveLength(2)
      expect([sales, support]).toContain(emails[1])
      // The code of the refused sign-in is used up.
      expect((await callback(returned)).status).toBe(400)
      const late = await visit(emails[1] === sales ? support : sales)
      expect(await callback(late)).toMatchObject(full)
    })
  }
)
