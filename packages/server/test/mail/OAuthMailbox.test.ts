import { googleClient } from "@leadloom/connectors/internal/oauth/OAuthClient"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import { freshAccessToken } from "@leadloom/core/internal/workflow/mailbox/AccessTokens"
import { type ImapStandIn, startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { startSubmission, type SubmissionServer } from "@leadloom/testkit/mail/SubmissionServer"
import { type OAuthStandIn, startOAuthStandIn } from "@leadloom/testkit/oidc/OAuthStandIn"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { drainJobs, drainSends, present } from "@leadloom/testkit/suite/Scene"
import { Effect, Exit, Redacted, Result, Scope } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { runLater } from "../world/LaterWork.ts"
import { lookAgain, lookOnce, storedMessages } from "../world/MailboxWorld.ts"
import { adminKey, type Answer, at, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { mail } from "../world/World.ts"

const email = "sales@acme.com"
const base = "/api/v1/tenants/acme"
const hour = 3_600_000

let imap: ImapStandIn
let smtp: SubmissionServer
let provider: OAuthStandIn
/** The accepted access token of each account. */
let accounts: Record<string, string>
let servers: Array<TestServer>
let scope: Scope.Closeable

const [first, second] = [() => present(servers[0]), () => present(servers[1])]

/** Starts a server with a client at the provider, whose mailboxes are on the stand-ins. */
const serve = (env: Readonly<Record<string, string>>): TestServer => {
  const client = googleClient({
    clientId: "client-1",
    clientSecret: Redacted.make("secret-of-the-client"),
    redirectUri: "https://dashboard.example.com/email/connected"
  })
  const { url } = provider
  const endpoints = { authorizationUrl: `${url}/authorize`, tokenUrl: `${url}/token`, revocationUrl: `${url}/revoke` }
  const standIn = (port: number) => ({ host: "127.0.0.1", port, security: "none" }) as const
  const mailServers = { imap: standIn(imap.port), smtp: standIn(smtp.port) }
  return startServer(
    {
      ...env,
      LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${provider.port}`,
      LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${imap.port},127.0.0.1:${smtp.port}`
    },
    undefined,
    (config) => ({ ...config, oauthClients: [{ ...client, issuer: url, ...endpoints, ...mailServers }] })
  )
}

type Kind = "sqlite" | "postgres"

/** Starts the stand-ins and one server, or two on one database. */
const begin = async (database: Kind, count = 1): Promise<void> => {
  scope = Effect.runSync(Scope.make())
  accounts = { [email]: "no token yet" }
  imap = await startImapStandIn({ accounts })
  provider = await startOAuthStandIn(email, (token) => {
    accounts[email] = token
  })
  smtp = await startSubmission({ accessToken: () => accounts[email] ?? "" })
  const url = database === "sqlite" ? null : await Effect.runPromise(Scope.provide(migratedDatabase, scope))
  const shared = url === null ? {} : { LEADLOOM_DATABASE_URL: url }
  const env = { ...shared, LEADLOOM_SECRET_KEY: "the-secret-key-of-both-of-the-servers" }
  servers = Array.from({ length: count }, () => serve(env))
  for (const tenant_id of ["acme", "other"])
    await call("POST", "/api/v1/admin/tenants", { tenant_id, name: tenant_id, domain: `${tenant_id}.com` })
}

afterEach(async () => {
  for (const server of servers) await server.close()
  await Promise.all([imap.close(), smtp.close(), provider.close()])
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  first().call(method, path, { as: adminKey, ...(body === undefined ? {} : { body }) })

/** Signs the owner in at the provider. */
const visit = async (tenant = "acme") => {
  const answer = await call("GET", `/api/v1/tenants/${tenant}/email/auth-url?provider=google`)
  return provider.signIn(textAt(answer.json, "url"))
}

const finish = (parameters: object, tenant = "acme") =>
  call("POST", `/api/v1/tenants/${tenant}/email/callback`, parameters)

const connect = async (): Promise<string> => textAt((await finish(await visit())).json, "grant_id")

const grants = async () => at((await call("GET", `${base}/email/grants`)).json, "grants")

const account = Effect.gen(function* () {
  const { grantId } = present(yield* (yield* Grants).current("acme"))
  return present(yield* (yield* MailboxAccounts).find("acme", grantId))
})

/** Requests an access token many times concurrently, as connections and sends do. */
const tokens = (count: number, later = 0, rejected: string | null = null) =>
  runLater(
    later,
    Effect.flatMap(account, (each) =>
      Effect.all(
        Array.from({ length: count }, () => Effect.result(freshAccessToken(each, rejected))),
        { concurrency: "unbounded" }
      )
    )
  )

const refreshes = () => provider.requests.filter(({ grant_type }) => grant_type === "refresh_token")

const sync = (later = 0) =>
  first().run(
    runLater(
      later,
      Effect.flatMap(account, (each) => lookAgain(each))
    )
  )

const eventsOf = async (type: string) => {
  const { json } = await call("GET", `${base}/events?limit=100`)
  const events = at(json, "events")
  return Array.isArray(events) ? events.filter((entry) => at(entry, "event", "event_type") === type) : []
}

const send = () => call("POST", `${base}/email/send`, { to: [{ email: "jane@customer.example" }], body: "Hello" })

describe.each(["sqlite", "postgres"] as const)("a mailbox at Google on %s", (database) => {
  it("is connected by its owner, and read and sent from with access tokens", async () => {
    await begin(database)
    const connected = await finish(await visit())
    expect(connected).toMatchObject({ status: 201, json: { provider: "imap", email, status: "active" } })
    expect(smtp.logins()).toBe(1)
    const question = mail({ "Message-ID": "<question@customer.example>" }, "What does it cost?")
    imap.account(email).folder("INBOX").add(Buffer.from(question), Date.now())
    await sync()
    expect((await first().run(storedMessages())).map(({ body }) => body)).toEqual(["What does it cost?"])
    expect((await send()).status).toBe(201)
    expect(smtp.mails).toMatchObject([{ user: email, to: ["jane@customer.example"] }])
    expect(refreshes()).toEqual([])
    const shown = [await call("GET", `${base}/audit`), await call("GET", `${base}/events?limit=100`), connected]
    for (const { text } of shown) expect(text).not.toMatch(/(?:access|refresh)-token|secret-of-the-client/u)
  })

  it("renews an expired token before a login, and stores a rotated refresh token", async () => {
    await begin(database)
    await connect()
    provider.behavior.rotates = true
    await sync(2 * hour)
    await first().run(runLater(4 * hour, Effect.andThen(drainSends, drainJobs)))
    await sync(4 * hour)
    expect(refreshes().map(({ refresh_token }) => refresh_token)).toEqual(["refresh-token-1", "refresh-token-2"])
    expect(await grants()).toMatchObject([{ status: "active", error: null }])
  })

  it("renews a token that the mail server rejects, and tries once more", async () => {
    await begin(database)
    await connect()
    accounts[email] = "another token"
    await sync()
    expect(refreshes()).toHaveLength(1)
    expect(await grants()).toMatchObject([{ status: "active", error: null }])
    accounts[email] = "another token"
    expect((await send()).status).toBe(201)
    expect(smtp.mails).toHaveLength(1)
    expect(refreshes()).toHaveLength(2)
  })

  it("renews a token once for 20 concurrent users", async () => {
    await begin(database)
    await connect()
    provider.behavior.rotates = true
    const results = await first().run(tokens(20, 2 * hour))
    expect(new Set(results.map(Result.getOrThrow))).toEqual(new Set(["access-token-2"]))
    expect(refreshes()).toHaveLength(1)
  })

  it("expires when its owner withdraws the consent, and reports that once", async () => {
    await begin(database)
    const grantId = await connect()
    provider.behavior.isRevoked = true
    await sync(2 * hour)
    await first().run(runLater(2 * hour, lookOnce()))
    expect(await grants()).toMatchObject([{ status: "expired", error: expect.stringContaining("invalid_grant") }])
    const events = await eventsOf("grant.expired")
    expect(events).toHaveLength(1)
    expect(at(events[0], "event", "data")).toMatchObject({ grant_id: grantId, provider: "imap", email })
    expect(refreshes()).toHaveLength(1)
    // The owner signs in again: the same grant is active.
    provider.behavior.isRevoked = false
    expect(await connect()).toBe(grantId)
    await sync()
    expect(await grants()).toMatchObject([{ grant_id: grantId, status: "active", error: null }])
  })

  it("stays active while the token endpoint fails, and reads on after that", async () => {
    await begin(database)
    await connect()
    for (const [status, error] of [
      [503, "invalid_grant"],
      [401, "invalid_client"]
    ] as const) {
      provider.behavior.answer = { status, body: { error } }
      await sync(2 * hour)
      expect(await grants()).toMatchObject([{ status: "active", error: expect.stringContaining("Google") }])
    }
    expect(await eventsOf("grant.expired")).toEqual([])
    provider.behavior.answer = null
    await sync(3 * hour)
    expect(await grants()).toMatchObject([{ status: "active", error: null }])
  })

  it("uses a token that is valid for some minutes while the token endpoint fails", async () => {
    await begin(database)
    await connect()
    provider.behavior.answer = { status: 503, body: {} }
    const results = await first().run(tokens(2, hour - 60_000))
    expect(results.map(Result.getOrThrow)).toEqual(["access-token-1", "access-token-1"])
    expect(refreshes().length).toBeGreaterThan(0)
  })

  it("shares a failed renewal among its concurrent users", async () => {
    await begin(database)
    await connect()
    const results = await first().run(
      Effect.gen(function* () {
        const { grantId, tenantId } = yield* account
        const port = yield* MailboxAccounts
        const renewal = present(yield* port.renewal(tenantId, grantId))
        yield* port.claimRenewal(renewal, Date.now() + 3 * hour)
        const failed = port.endRenewal({ ...renewal, claim: renewal.claim + 1 }, null)
        let waiting = 0
        /** A user for which another server renews the token. That renewal fails when all users wait for it. */
        const user = Effect.suspend(() => {
          let isFirst = true
          const counted = MailboxAccounts.of({
            ...port,
            renewal: (...of) =>
              Effect.tap(port.renewal(...of), () => {
                if (isFirst) waiting += 1
                const isLast = isFirst && waiting === 20
                isFirst = false
                return isLast ? failed : Effect.void
              })
          })
          return Effect.provideService(tokens(1, 2 * hour), MailboxAccounts, counted)
        })
        return (yield* Effect.all(
          Array.from({ length: 20 }, () => user),
          { concurrency: "unbounded" }
        )).flat()
      })
    )
    expect(results.map(Result.isFailure)).toEqual(Array.from({ length: 20 }, () => true))
    expect(refreshes()).toEqual([])
    expect((await first().run(tokens(1, 2 * hour))).map(Result.getOrThrow)).toEqual(["access-token-2"])
  })

  it("takes over a renewal that a stopped server has not ended", async () => {
    await begin(database)
    await connect()
    const claim = Effect.gen(function* () {
      const { grantId, tenantId } = yield* account
      const port = yield* MailboxAccounts
      const renewal = present(yield* port.renewal(tenantId, grantId))
      return yield* port.claimRenewal(renewal, Date.now() + 2 * hour - 1)
    })
    expect(await first().run(claim)).toBe(true)
    expect((await first().run(tokens(1, 2 * hour))).map(Result.getOrThrow)).toEqual(["access-token-2"])
  })

  it("keeps the new tokens of its owner when a renewal with the former ones ends later", async () => {
    await begin(database)
    await connect()
    const renewal = await first().run(
      Effect.gen(function* () {
        const { grantId, tenantId } = yield* account
        const port = yield* MailboxAccounts
        const renewal = present(yield* port.renewal(tenantId, grantId))
        yield* port.claimRenewal(renewal, Date.now() + hour)
        return { ...renewal, claim: renewal.claim + 1 }
      })
    )
    await connect()
    const before = await first().run(account)
    const ended = Effect.flatMap(MailboxAccounts, (port) => port.endRenewal(renewal, "stale"))
    expect(await first().run(ended)).toBe(false)
    expect((await first().run(account)).secret).toBe(before.secret)
  })

  it("rejects a wrong state, a replayed callback, and the callback of another tenant", async () => {
    await begin(database)
    const { code, state } = await visit()
    expect(await finish({ code, state: `${state}x` })).toMatchObject({ status: 400, code: "BAD_REQUEST" })
    expect(await finish({ code, state }, "other")).toMatchObject({ status: 400, code: "BAD_REQUEST" })
    expect(provider.requests).toEqual([])
    expect((await finish({ code, state })).status).toBe(201)
    const replayed = await finish({ code, state })
    expect(replayed).toMatchObject({ status: 400, code: "BAD_REQUEST" })
    expect(at(replayed.json, "error", "details", 0, "path")).toBe("state")
    expect(provider.requests).toHaveLength(1)
  })

  it("is not connected with a wrong nonce or without a verified address", async () => {
    await begin(database)
    for (const claims of [{ nonce: "nonce-of-another-sign-in" }, { email_verified: false }]) {
      Object.assign(provider.behavior.claims, claims)
      const refused = await finish(await visit())
      expect(refused).toMatchObject({ status: 400, code: "BAD_REQUEST" })
      expect(at(refused.json, "error", "details", 0, "path")).toBe("code")
    }
    expect(await grants()).toEqual([])
  })

  it("is connected only with its own address, and by one tenant", async () => {
    await begin(database)
    const grantId = await connect()
    const taken = await finish(await visit("other"), "other")
    expect(taken).toMatchObject({ status: 409, code: "CONFLICT" })
    provider.behavior.claims["email"] = "boss@acme.com"
    expect(await finish(await visit())).toMatchObject({ status: 409, code: "CONNECTION_EXISTS" })
    expect(await grants()).toMatchObject([{ grant_id: grantId, email }])
    expect((await first().run(tokens(1))).map(Result.getOrThrow)).toEqual(["access-token-1"])
  })

  it("is not connected when the mail server does not accept the signed-in address", async () => {
    await begin(database)
    provider.behavior.claims["email"] = "victim@elsewhere.example"
    const refused = await finish(await visit())
    expect(refused).toMatchObject({ status: 400, code: "MAILBOX_LOGIN_FAILED" })
    expect(refused.text).not.toContain("access-token")
    expect(await grants()).toEqual([])
  })

  it("has its consent revoked at Google when it is disconnected", async () => {
    await begin(database)
    const grantId = await connect()
    expect((await call("DELETE", `${base}/email/grants/${grantId}`)).status).toBe(204)
    expect(provider.revocations()).toBe(1)
    expect(await grants()).toEqual([])
  })
})

describe("a mailbox at Google with two servers", () => {
  it("has its token renewed once by both, and each one uses the refresh token that the other has stored", async () => {
    await begin("postgres", 2)
    await connect()
    provider.behavior.rotates = true
    const both = (later: number) =>
      Promise.all([first().run(tokens(10, later)), second().run(tokens(10, later))]).then((results) =>
        results.flat().map(Result.getOrThrow)
      )
    expect(new Set(await both(2 * hour))).toEqual(new Set(["access-token-2"]))
    expect(refreshes()).toHaveLength(1)
    expect((await second().run(tokens(1, 4 * hour))).map(Result.getOrThrow)).toEqual(["access-token-3"])
    expect((await first().run(tokens(1, 6 * hour))).map(Result.getOrThrow)).toEqual(["access-token-4"])
    expect(refreshes().map(({ refresh_token }) => refresh_token)).toEqual([
      "refresh-token-1",
      "refresh-token-2",
      "refresh-token-3"
    ])
  })
})

it("limits the sign-ins of a tenant, and names the missing client", async () => {
  await begin("sqlite")
  const start = (family: string) => call("GET", `${base}/email/auth-url${family}`)
  expect(await start("?provider=microsoft")).toMatchObject({ status: 503 })
  // Google is the only provider with a client.
  expect(textAt((await start("")).json, "url")).toContain(`${provider.url}/authorize`)
  const found = async (address: string) =>
    at((await call("GET", `${base}/email/autoconfig?email=${address}`)).json, "sign_in")
  expect(await found("jo@gmail.com")).toEqual({ provider: "google", available: true })
  expect(await found("jo@outlook.com")).toEqual({ provider: "microsoft", available: false })
  const answers: Array<Answer> = []
  for (let count = 0; count < 20; count++) answers.push(await start("?provider=google"))
  expect(answers.at(-2)?.status).toBe(200)
  expect(answers.at(-1)).toMatchObject({ status: 429, code: "RATE_LIMITED" })
  expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0)
})
