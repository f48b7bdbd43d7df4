import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import { expireGrant } from "@leadloom/core/internal/workflow/mailbox/ExpireGrant"
import { type ImapStandIn, startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { startSubmission, type SubmissionOptions, type SubmissionServer } from "@leadloom/testkit/mail/SubmissionServer"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { drainJobs, drainSends, present } from "@leadloom/testkit/suite/Scene"
import { Effect, Exit, Scope } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { runLater } from "../world/LaterWork.ts"
import { lookAgain } from "../world/MailboxWorld.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { mail } from "../world/World.ts"

const email = "sales@acme.com"
const password = "correct horse battery"
const base = "/api/v1/tenants/acme"
const minute = 60_000
const day = 1_440 * minute

let imap: ImapStandIn
let smtp: SubmissionServer
let server: TestServer
let scope: Scope.Closeable

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { as: adminKey, ...(body === undefined ? {} : { body }) })
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
  return answer.json
}

/** Starts the mail servers and a server whose tenant acme has connected the mailbox. */
const begin = async (
  database: "sqlite" | "postgres",
  { sets_flags = true, ...submission }: SubmissionOptions & { readonly sets_flags?: boolean } = {}
): Promise<void> => {
  scope = Effect.runSync(Scope.make())
  imap = await startImapStandIn({ accounts: { [email]: password } })
  smtp = await startSubmission({ password, ...submission })
  const url = database === "sqlite" ? null : await Effect.runPromise(Scope.provide(migratedDatabase, scope))
  server = startServer({
    ...(url === null ? {} : { LEADLOOM_DATABASE_URL: url }),
    LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${imap.port},127.0.0.1:${smtp.port}`
  })
  await call("POST", "/api/v1/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
  const at = (port: number) => ({ host: "127.0.0.1", port, security: "none" })
  const account = { provider: "imap", email, password, imap: at(imap.port), smtp: at(smtp.port), sets_flags }
  await call("POST", `${base}/email/connect`, account)
}

afterEach(async () => {
  await server.close()
  await Promise.all([imap.close(), smtp.close()])
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const folder = (path: string) => imap.account(email).folder(path)
const flagsIn = (path: string) => [...folder(path).mails.values()].map(({ flags }) => [...flags])

/** Reads the mailbox until nothing remains to be read. */
const sync = () =>
  server.run(
    Effect.gen(function* () {
      const { grantId } = present(yield* (yield* Grants).current("acme"))
      yield* lookAgain(present(yield* (yield* MailboxAccounts).find("acme", grantId)))
    })
  )

/** Runs the jobs and sends that are due after a time in milliseconds. */
const later = (millis: number) => server.run(runLater(millis, Effect.andThen(drainSends, drainJobs)))

const conversation = async () => textAt(await call("GET", `${base}/conversations`), "conversations", 0, "contact_id")

/** Returns the author, the body and the delivery of each message of the only contact. */
const messages = async () => {
  const found = at(await call("GET", `${base}/conversations/${await conversation()}`), "messages")
  return (Array.isArray(found) ? found : []).map((message: unknown) => [
    textAt(message, "actor"),
    textAt(message, "body").trim(),
    at(message, "delivery")
  ])
}

const question = mail({ "Message-ID": "<question@customer.example>" }, "What does it cost?")

/** Receives a question in the mailbox, and answers it. */
const answerQuestion = async (): Promise<void> => {
  folder("INBOX").add(Buffer.from(question), Date.now())
  await sync()
  const page = await call("GET", `${base}/conversations/${await conversation()}`)
  await call("POST", `${base}/email/send`, {
    to: [{ email: "jane@customer.example" }],
    body: "Ten thousand.",
    reply_to_message_id: textAt(page, "messages", 0, "message_id")
  })
}

/** The mail as a provider stores it: with a field of its own. */
const storedByProvider = () => Buffer.from(`X-Provider: stored\r\n${smtp.mails.at(-1)?.raw ?? ""}`)

const both = [
  ["contact", "What does it cost?", null],
  ["agent", "Ten thousand.", "sent"]
]

describe.each(["sqlite", "postgres"] as const)("a mail sent through a mailbox on %s", (database) => {
  it("stays one message when the sync finds the copy that this server stored", async () => {
    await begin(database)
    await answerQuestion()
    await later(2 * minute)
    expect(folder("Sent").mails.size).toBe(1)
    await sync()
    expect(await messages()).toEqual(both)
    folder("Sent").renumber(5_000)
    await sync()
    await later(day)
    expect(await messages()).toEqual(both)
    expect([folder("Sent").mails.size, smtp.mails.length]).toEqual([1, 1])
  })

  it("stays one message when the sync finds the copy of the provider, before or after the job looks for it", async () => {
    await begin(database)
    await answerQuestion()
    folder("Sent").add(storedByProvider(), Date.now())
    await sync()
    await later(2 * minute)
    await sync()
    expect(await messages()).toEqual(both)
    expect([folder("Sent").mails.size, smtp.mails.length]).toEqual([1, 1])
  })

  it.each(["cut of the connection", "kill of the server"])(
    "is stored in Sent once despite a %s after APPEND",
    async (fault) => {
      await begin(database)
      await answerQuestion()
      const sent = folder("Sent")
      const add = sent.add.bind(sent)
      const stored = Promise.withResolvers<void>()
      sent.add = (...given) => {
        const mail = add(...given)
        if (fault.startsWith("cut")) imap.cut()
        else imap.faults.isSilent = true
        stored.resolve()
        return mail
      }
      const killed = fault.startsWith("kill") ? Effect.promise(() => stored.promise) : Effect.never
      await server.run(Effect.raceFirst(runLater(2 * minute, drainJobs), killed))
      expect(sent.mails.size).toBe(1)
      imap.cut()
      imap.faults.isSilent = false
      const searches = () => imap.commands.filter((command) => command.includes("SEARCH")).length
      const before = searches()
      // The lease of the killed server has ended.
      await later(10 * minute)
      expect(searches()).toBeGreaterThan(before)
      await later(day)
      expect(sent.mails.size).toBe(1)
      await sync()
      expect(await messages()).toEqual(both)
    }
  )

  it("becomes confirmed, and is not sent again, when its outcome was unknown and the sync finds it in Sent", async () => {
    await begin(database, { afterData: "cut" })
    await answerQuestion()
    expect(await messages()).toEqual([both[0], ["agent", "Ten thousand.", "unknown"]])
    await later(day)
    // Without a copy in Sent, nothing shows that the mail was sent, and no job stores one.
    expect([folder("Sent").mails.size, flagsIn("INBOX")]).toEqual([0, [[]]])
    folder("Sent").add(storedByProvider(), Date.now())
    await sync()
    expect(await messages()).toEqual(both)
    await later(2 * day)
    expect(await messages()).toEqual(both)
    expect([folder("Sent").mails.size, smtp.mails.length]).toEqual([1, 1])
    expect(flagsIn("INBOX")).toEqual([["\\Answered"]])
  })

  it("marks the answered mail, and a read marks the read one, where the sync has found it", async () => {
    await begin(database)
    await answerQuestion()
    const [received] = folder("INBOX").mails.values()
    const { raw } = received ?? expect.fail()
    folder("INBOX").remove(1)
    folder("Archive").add(raw, Date.now())
    await sync()
    await later(0)
    expect(flagsIn("Archive")).toEqual([["\\Answered"]])
    const second = mail({ "Message-ID": "<second@customer.example>", Subject: "Roof" }, "And a roof?")
    folder("INBOX").add(Buffer.from(second), Date.now())
    await sync()
    await call("POST", `${base}/conversations/${await conversation()}/read`, {})
    await later(0)
    expect(flagsIn("INBOX")).toEqual([["\\Seen"]])
    await sync()
    const bodies = (await messages()).map(([, body]) => body)
    expect(bodies.toSorted()).toEqual(["And a roof?", "Ten thousand.", "What does it cost?"])
  })

  it("marks one copy of a mail, in the inbox before other folders, and none in spam or trash", async () => {
    await begin(database)
    const copy = Buffer.from(question)
    for (const path of ["Archive", "Junk", "Trash"]) folder(path).add(copy, Date.now())
    await answerQuestion()
    await call("POST", `${base}/conversations/${await conversation()}/read`, {})
    await later(0)
    expect(flagsIn("INBOX").map((flags) => flags.toSorted())).toEqual([["\\Answered", "\\Seen"]])
    for (const path of ["Archive", "Junk", "Trash"]) expect([path, flagsIn(path)]).toEqual([path, [[]]])
  })

  it("marks mail as read once, and not the mail that was read before", async () => {
    await begin(database)
    const add = (id: number) => {
      const text = mail({ "Message-ID": `<${id}@customer.example>`, Subject: `Question ${id}` }, `Question ${id}`)
      folder("INBOX").add(Buffer.from(text), Date.now())
    }
    const read = async () => {
      await call("POST", `${base}/conversations/${await conversation()}/read`, {})
      await later(0)
    }
    add(1)
    await sync()
    await read()
    expect(flagsIn("INBOX")).toEqual([["\\Seen"]])
    // The owner marks it as unread in another program. A later read of other mail respects that.
    folder("INBOX").mails.get(1)?.flags.clear()
    add(2)
    await sync()
    await read()
    expect(flagsIn("INBOX")).toEqual([[], ["\\Seen"]])
  })

  it("logs in for no flag and no copy while the account has expired", async () => {
    await begin(database)
    await answerQuestion()
    await server.run(
      Effect.flatMap(Grants, (grants) =>
        Effect.flatMap(grants.current("acme"), (grant) => expireGrant(present(grant), "the password was changed"))
      )
    )
    const before = imap.commands.length
    await later(2 * minute)
    expect(imap.commands.slice(before)).toEqual([])
    expect([flagsIn("INBOX"), folder("Sent").mails.size]).toEqual([[[]], 0])
  })

  it("marks nothing for a tenant without flags, and is still stored in Sent", async () => {
    await begin(database, { sets_flags: false })
    await answerQuestion()
    await call("POST", `${base}/conversations/${await conversation()}/read`, {})
    await later(2 * minute)
    expect(flagsIn("INBOX")).toEqual([[]])
    expect(folder("Sent").mails.size).toBe(1)
    expect(imap.commands).not.toContain("UID STORE")
  })
})
