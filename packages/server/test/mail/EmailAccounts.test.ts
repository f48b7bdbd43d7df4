import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import { expireGrant } from "@leadloom/core/internal/workflow/mailbox/ExpireGrant"
import { type ImapStandIn, startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { startSubmission, type SubmissionServer } from "@leadloom/testkit/mail/SubmissionServer"
import { placeMigratedFile } from "@leadloom/testkit/MigratedFile"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { drainJobs, drainSends } from "@leadloom/testkit/suite/Scene"
import { Effect, Exit, Scope } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { runLater } from "../world/LaterWork.ts"
import { lookAgain } from "../world/MailboxWorld.ts"
import { type Answer, adminKey, at, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { mail } from "../world/World.ts"

type Environment = Readonly<Record<string, string>>

const password = "correct horse battery"
const office = "office@acme.com"
const sales = "sales@acme.com"
const relayed = "info@acme.com"
const base = "/api/v1/tenants/acme"

let imap: ImapStandIn
let submissions: Readonly<Record<"office" | "sales" | "relay", SubmissionServer>>
let server: TestServer
let servers: Array<TestServer>
let env: Environment
let folder: string
let scope: Scope.Closeable

const start = (limit: number): TestServer => {
  const started = startServer({ ...env, ...(limit === 1 ? {} : { LEADLOOM_EMAIL_ACCOUNTS_PER_TENANT: `${limit}` }) })
  servers.push(started)
  return started
}

const request = (method: string, path: string, body?: unknown, on = server): Promise<Answer> =>
  on.call(method, path, { as: adminKey, ...(body === undefined ? {} : { body }) })

const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await request(method, path, body)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
  return answer.json
}

/** Starts the mail servers, and a server that permits `limit` accounts per tenant. */
const begin = async (database: "sqlite" | "postgres", limit: number): Promise<void> => {
  scope = Effect.runSync(Scope.make())
  servers = []
  folder = mkdtempSync(join(tmpdir(), "leadloom-accounts-"))
  placeMigratedFile(join(folder, "accounts.db"))
  imap = await startImapStandIn({ accounts: { [office]: password, [sales]: password } })
  submissions = {
    office: await startSubmission({ password }),
    sales: await startSubmission({ password }),
    relay: await startSubmission({ password })
  }
  const postgres = database === "sqlite" ? null : await Effect.runPromise(Scope.provide(migratedDatabase, scope))
  const { office: one, relay, sales: two } = submissions
  env = {
    LEADLOOM_SECRET_KEY: "the-secret-key-of-the-tests-of-accounts",
    LEADLOOM_DATABASE_URL: postgres ?? `sqlite:${join(folder, "accounts.db")}`,
    LEADLOOM_MAILBOX_ALLOW_HOSTS: [imap, one, two].map(({ port }) => `127.0.0.1:${port}`).join(","),
    LEADLOOM_SMTP_URL: `smtp://relay:${encodeURIComponent(password)}@127.0.0.1:${relay.port}`
  }
  server = start(limit)
  await call("POST", "/api/v1/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
}

afterEach(async () => {
  for (const each of servers) await each.close()
  await Promise.all([imap.close(), ...Object.values(submissions).map((each) => each.close())])
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true })
})

const mailbox = (email: string, smtp: SubmissionServer) => {
  const on = (port: number) => ({ host: "127.0.0.1", port, security: "none" })
  return { provider: "imap", email, password, imap: on(imap.port), smtp: on(smtp.port) }
}

const relay = { provider: "smtp", email: relayed }

const connect = (account: unknown, on = server): Promise<Answer> =>
  request("POST", `${base}/email/connect`, account, on)

/** Connects an account and sets its signature. Returns its id. */
const connected = async (account: { readonly email: string }): Promise<string> => {
  const answer = await connect(account)
  expect([account.email, answer.status, answer.text.slice(0, 200)]).toEqual([account.email, 201, expect.anything()])
  const grantId = textAt(answer.json, "grant_id")
  await call("PATCH", `${base}/email/signature`, { signature: `Signed by ${account.email}`, grant_id: grantId })
  return grantId
}

/** Connects two mailboxes and the relay, in this order. */
const connectAll = async () => ({
  office: await connected(mailbox(office, submissions.office)),
  sales: await connected(mailbox(sales, submissions.sales)),
  relay: await connected(relay)
})

const add = (email: string, raw: string): void =>
  void imap.account(email).folder("INBOX").add(Buffer.from(raw), Date.now())

/** Reads all mailboxes of the tenant. */
const sync = () =>
  server.run(
    Effect.gen(function* () {
      for (const { grantId } of yield* (yield* Grants).list("acme")) {
        const account = yield* (yield* MailboxAccounts).find("acme", grantId)
        if (account !== null) yield* lookAgain(account)
      }
    })
  )

const later = (millis: number) => server.run(runLater(millis, Effect.andThen(drainSends, drainJobs)))

const listOf = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

const conversations = async () => listOf(await call("GET", `${base}/conversations`), "conversations")

/** Returns the id of the contact with this address. */
const contactOf = async (email: string): Promise<string> =>
  textAt(
    (await conversations()).find((each) => at(each, "contact_email") === email),
    "contact_id"
  )

const reply = async (contact: string, body: string, more: object = {}): Promise<Answer> =>
  request("POST", `${base}/conversations/${await contactOf(contact)}/messages`, { channel: "email", body, ...more })

const question = (to: string, from: string, number: number, more: Readonly<Record<string, string>> = {}): string =>
  mail(
    {
      From: from,
      To: to,
      // A later time counts as the present, so the question follows every answer.
      Date: new Date(Date.now() + 3_600_000).toUTCString(),
      "Message-ID": `<${number}@customer.example>`,
      ...more
    },
    `Question ${number}`
  )

const header = (raw: string, name: string): string => new RegExp(`^${name}: (.*)$`, "imu").exec(raw)?.[1]?.trim() ?? ""

/** Returns the sender, the recipients and the signature of each mail that left through a server. */
const left = (name: keyof typeof submissions) =>
  submissions[name].mails.map(({ raw, to }) => [
    header(raw, "From"),
    to.join(" "),
    /Signed by (\S+)/u.exec(raw)?.[1] ?? null
  ])

const nothingLeft = () => expect([left("office"), left("sales"), left("relay")]).toEqual([[], [], []])

const accounts = async () =>
  listOf(await call("GET", `${base}/email/grants`), "grants").map((grant) => [at(grant, "email"), at(grant, "status")])

describe.each(["sqlite", "postgres"] as const)("several email accounts of a tenant on %s", (database) => {
  it("store a mail that arrives in two of them once, and answer it through the account that received it", async () => {
    await begin(database, 3)
    const { sales: salesId } = await connectAll()
    add(office, question(`${office}, ${sales}`, "jane@customer.example", 1))
    await sync()
    add(sales, question(`${office}, ${sales}`, "jane@customer.example", 1))
    add(sales, question(sales, "bob@customer.example", 2))
    await sync()
    const jane = await call("GET", `${base}/conversations/${await contactOf("jane@customer.example")}`)
    expect(listOf(jane, "messages").map((message) => textAt(message, "body").trim())).toEqual(["Question 1"])
    expect((await reply("jane@customer.example", "One")).status).toBe(200)
    expect((await reply("bob@customer.example", "Two")).status).toBe(200)
    expect(left("office")).toEqual([[office, "jane@customer.example", office]])
    expect(left("sales")).toEqual([[sales, "bob@customer.example", sales]])
    expect(left("relay")).toEqual([])
    await later(120_000)
    const sent = (email: string) => imap.account(email).folder("Sent").mails.size
    expect([sent(office), sent(sales)]).toEqual([1, 1])
    const flags = [...imap.account(sales).folder("INBOX").mails.values()].map((each) => [...each.flags])
    expect(flags).toEqual([[], ["\\Answered"]])
    await sync()
    expect(await conversations()).toHaveLength(2)
    // Every other way to answer chooses the same account.
    const message = listOf(
      await call("GET", `${base}/conversations/${await contactOf("bob@customer.example")}`),
      "messages"
    ).find((each) => at(each, "actor") === "contact")
    await call("POST", `${base}/email/send`, {
      to: [{ email: "bob@customer.example" }],
      body: "Three",
      reply_to_message_id: textAt(message, "message_id")
    })
    expect(left("sales")).toHaveLength(2)
    const all = await call("GET", `${base}/email/aliases?grant_id=${salesId}`)
    expect(all).toMatchObject({ grant_email: sales, aliases: [], accounts: [{ grant_email: office }, {}, {}] })
  })

  it("send a new mail from the default account, which can be changed, or from the stated address or alias", async () => {
    await begin(database, 3)
    const { relay: relayId, sales: salesId } = await connectAll()
    await call("PATCH", `${base}/email/aliases`, { aliases: ["quotes@acme.com"], grant_id: salesId })
    const send = (more: object = {}) =>
      call("POST", `${base}/email/send`, {
        to: [{ email: "jane@customer.example" }],
        subject: "Hi",
        body: "Hi",
        ...more
      })
    await send()
    await send({ from: { email: "Quotes@acme.com" } })
    await send({ from: { email: relayed } })
    expect(left("office")).toEqual([[office, "jane@customer.example", office]])
    expect(left("sales")).toEqual([["quotes@acme.com", "jane@customer.example", sales]])
    expect(left("relay")).toEqual([[relayed, "jane@customer.example", relayed]])
    await call("PUT", `${base}/email/default-grant`, { grant_id: relayId })
    expect((await accounts()).map(([email]) => email)).toEqual([relayed, office, sales])
    await send()
    expect(left("relay")).toHaveLength(2)
    expect(await call("GET", `${base}/email/aliases`)).toMatchObject({ grant_email: relayed })
    const refused = await request("POST", `${base}/email/send`, {
      to: [{ email: "jane@customer.example" }],
      body: "Hi",
      from: { email: "boss@acme.com" }
    })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("quotes@acme.com")])
    expect((await request("PUT", `${base}/email/default-grant`, { grant_id: "grant_of_nothing" })).status).toBe(404)
    expect((await request("GET", `${base}/email/aliases?grant_id=grant_of_nothing`)).status).toBe(404)
  })

  it("send nothing from another account when the one that received the mail is expired", async () => {
    await begin(database, 3)
    const { sales: salesId } = await connectAll()
    add(sales, question(sales, "bob@customer.example", 1))
    await sync()
    const [grant] = await server.run(
      Effect.flatMap(Grants, (grants) => grants.list("acme")).pipe(
        Effect.map((all) => all.filter(({ grantId }) => grantId === salesId))
      )
    )
    await server.run(expireGrant(grant ?? expect.fail(), "the password was changed"))
    expect(await accounts()).toEqual([
      [office, "active"],
      [sales, "expired"],
      [relayed, "active"]
    ])
    const refused = await reply("bob@customer.example", "One")
    expect([refused.status, refused.text]).toEqual([409, expect.stringMatching(/sales@acme\.com has expired.*from/u)])
    const stated = await reply("bob@customer.example", "One", { from: { email: sales } })
    expect(stated.status).toBe(409)
    await later(0)
    nothingLeft()
    expect((await reply("bob@customer.example", "One", { from: { email: office } })).status).toBe(200)
    expect(left("office")).toEqual([[office, "bob@customer.example", office]])
    // A new password activates the account.
    expect((await connect(mailbox(sales, submissions.sales))).status).toBe(201)
    add(sales, question(sales, "bob@customer.example", 2))
    await sync()
    expect((await reply("bob@customer.example", "Two")).status).toBe(200)
    expect(left("sales")).toHaveLength(1)
  })

  it("work on when one of them is disconnected, and do not answer its mail", async () => {
    await begin(database, 3)
    const ids = await connectAll()
    add(sales, question(sales, "bob@customer.example", 1))
    add(office, question(office, "jane@customer.example", 2))
    await sync()
    expect((await request("DELETE", `${base}/email/grants/${ids.sales}`)).status).toBe(204)
    const refused = await reply("bob@customer.example", "One")
    expect([refused.status, refused.text]).toEqual([409, expect.stringMatching(/sales@acme\.com.*is disconnected/u)])
    nothingLeft()
    expect(await accounts()).toEqual([
      [office, "active"],
      [relayed, "active"]
    ])
    add(office, question(office, "jane@customer.example", 3))
    await sync()
    expect((await reply("jane@customer.example", "Two")).status).toBe(200)
    expect(left("office")).toHaveLength(1)
    expect((await reply("bob@customer.example", "One", { from: { email: relayed } })).status).toBe(200)
    expect(left("relay")).toEqual([[relayed, "bob@customer.example", relayed]])
    await connected(mailbox(sales, submissions.sales))
    add(sales, question(sales, "bob@customer.example", 4))
    await sync()
    expect((await reply("bob@customer.example", "Three")).status).toBe(200)
    expect(left("sales")).toHaveLength(1)
  })

  it("never exceed the limit when several connect at once, and never share an address", async () => {
    await begin(database, 3)
    // A second server has its own connections to the database. A SQLite database has one server.
    const second = database === "postgres" ? start(3) : server
    const attempts = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        connect({ provider: "smtp", email: `user${index}@acme.com` }, index % 2 === 0 ? server : second)
      )
    )
    expect(attempts.map(({ status }) => status).toSorted()).toEqual([...Array(3).fill(201), ...Array(9).fill(409)])
    const refused = attempts.filter(({ status }) => status === 409)
    for (const { text } of refused) expect(text).toContain("CONNECTION_EXISTS")
    expect(refused[0]?.text).toContain("LEADLOOM_EMAIL_ACCOUNTS_PER_TENANT")
    const [first, other] = await accounts()
    const aliases = await request("PATCH", `${base}/email/aliases`, { aliases: [at(other, 0)] })
    expect([aliases.status, aliases.text]).toEqual([409, expect.stringContaining(String(at(other, 0)))])
    const listed = listOf(await call("GET", `${base}/email/grants`), "grants")
    const last = textAt(listed[2], "grant_id")
    expect((await request("DELETE", `${base}/email/grants/${last}`)).status).toBe(204)
    await call("PATCH", `${base}/email/aliases`, { aliases: ["quotes@acme.com"] })
    const alias = await connect({ provider: "smtp", email: "quotes@acme.com" })
    expect([alias.status, alias.text]).toEqual([409, expect.stringContaining(String(at(first, 0)))])
    const again = await Promise.all([server, second].map((each) => connect(relay, each)))
    expect(again.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it("keep working when the limit is lowered, and no further one is connected", async () => {
    await begin(database, 3)
    await connectAll()
    add(sales, question(sales, "bob@customer.example", 1))
    await sync()
    await server.close()
    servers = []
    server = start(1)
    expect(await accounts()).toHaveLength(3)
    expect((await connect({ provider: "smtp", email: "more@acme.com" })).status).toBe(409)
    expect((await connect(mailbox(sales, submissions.sales))).status).toBe(201)
    add(sales, question(sales, "bob@customer.example", 2))
    await sync()
    expect((await reply("bob@customer.example", "One")).status).toBe(200)
    expect(left("sales")).toHaveLength(1)
  })

  it("make no lead of the mail between them", async () => {
    await begin(database, 3)
    await connectAll()
    await call("PATCH", "/api/v1/config/acme", { trusted_mail_servers: ["mx.acme.com"] })
    const internal = question(sales, office, 1, {
      "Authentication-Results": "mx.acme.com; dkim=pass header.d=acme.com; dmarc=pass header.from=acme.com"
    })
    add(sales, internal)
    await sync()
    const [found] = await conversations()
    expect(at(found, "unread")).toBe(0)
    const read = await call("GET", `${base}/conversations/${textAt(found, "contact_id")}`)
    expect(at(read, "messages")).toMatchObject([{ actor: "agent", auto: "own" }])
  })

  it("are one by default: the contract is unchanged, and a new account answers the mail of a former one", async () => {
    await begin(database, 1)
    const id = await connected(mailbox(office, submissions.office))
    add(office, question(office, "jane@customer.example", 1))
    await sync()
    const refused = await connect(relay)
    expect(refused.status).toBe(409)
    expect(refused.json).toMatchObject({
      error: {
        code: "CONNECTION_EXISTS",
        message:
          "The tenant is already connected as office@acme.com. Disconnect that account first, or ask the operator to raise LEADLOOM_EMAIL_ACCOUNTS_PER_TENANT.",
        details: { grant_id: id }
      }
    })
    expect(await call("GET", `${base}/email/aliases`)).toEqual({ grant_email: office, aliases: [] })
    expect((await request("DELETE", `${base}/email/grants/${id}`)).status).toBe(204)
    expect((await connect(relay)).status).toBe(201)
    expect((await reply("jane@customer.example", "One")).status).toBe(200)
    expect(left("relay")).toEqual([[relayed, "jane@customer.example", null]])
  })
})
