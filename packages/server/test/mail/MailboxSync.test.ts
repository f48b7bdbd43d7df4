import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { MailboxSyncs } from "@leadloom/core/internal/port/repository/conversation/MailboxSyncs"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { emptyMemory } from "@leadloom/core/internal/workflow/mailbox/sync/OpenMailbox"
import type { ImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { rawMail } from "@leadloom/testkit/suite/Scene"
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import {
  connectMailbox,
  lookAgain,
  lookOnce,
  lookUntilRead,
  mailboxEmail,
  mailboxEnvironment,
  startMailServer,
  storedMessages
} from "../world/MailboxWorld.ts"
import { adminKey, at, startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld } from "../world/World.ts"

const open: Array<{ readonly close: () => Promise<void> }> = []

afterEach(async () => {
  for (const { close } of open.splice(0).toReversed()) await close()
})

/** Starts a mail server and a server with the tenant acme. */
const start = async (options: Parameters<typeof startMailServer>[0] = {}) => {
  const mail = await startMailServer(options)
  open.push(mail)
  const server = await startServer(mailboxEnvironment(mail))
  open.push(server)
  await makeWorld(server)
  return { mail, server }
}

const hour = 3_600_000

/** Returns a generator of numbers from 0 to 1 with a seed (Park and Miller, 1988). */
const prand = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A mail of a customer. */
const letter = (number: number, more: Parameters<typeof rawMail>[0] = {}) =>
  Buffer.from(
    rawMail({
      id: `m${number}@customer.example`,
      subject: `Roof ${number}`,
      to: mailboxEmail,
      body: `${number}`,
      ...more
    })
  )

const folder = (mail: ImapStandIn, path: string) => mail.account(mailboxEmail).folder(path)

const bodiesOf = async (server: TestServer) =>
  (await server.run(storedMessages())).map(({ body }) => body).toSorted((one, other) => Number(one) - Number(other))

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

describe("the sync of a mailbox", () => {
  it("reads the history of the requested time, newest first, and new mail", async () => {
    const { mail, server } = await start()
    const now = Date.now()
    const inbox = folder(mail, "INBOX")
    inbox.add(letter(0), now - 900 * hour)
    for (let number = 1; number < 220; number++) inbox.add(letter(number), now - (300 - number) * hour)
    folder(mail, "Junk").add(letter(999), now)
    const account = await server.run(connectMailbox(mail, { sinceAt: now - 800 * hour }))
    await server.run(Effect.asVoid(lookOnce()))
    const first = await bodiesOf(server)
    expect(first).toEqual(numbers(220).slice(20))
    await server.run(lookUntilRead())
    expect(await bodiesOf(server)).toEqual(numbers(220).slice(1))
    inbox.add(letter(220), now + 1_000)
    await server.run(lookAgain(account))
    const messages = await server.run(storedMessages())
    expect(messages.map(({ body }) => body)).toContain("220")
    expect(messages).toHaveLength(220)
    const folders = await server.run(Effect.flatMap(MailboxSyncs, (syncs) => syncs.folders("acme", account.grantId)))
    expect(folders.find(({ role }) => role === "inbox")).toMatchObject({ messages: 220, backfillUid: null })
    expect(folders.map(({ path }) => path)).toEqual(["Archive", "INBOX", "Sent"])
  })

  it("stores old mail without a signal, and new mail with one", async () => {
    const { mail, server } = await start()
    const now = Date.now()
    folder(mail, "INBOX").add(letter(1), now - hour)
    const account = await server.run(connectMailbox(mail))
    folder(mail, "INBOX").add(letter(2), now + 1_000)
    await server.run(lookAgain(account))
    const backlog = await server.run(Effect.flatMap(Signals, (signals) => signals.claim(9, now + hour, now + 2 * hour)))
    expect(backlog).toHaveLength(1)
  })

  it("recognises known mail after a changed UIDVALIDITY, a move, a copy and without a Message-ID", async () => {
    const { mail, server } = await start()
    const now = Date.now()
    const inbox = folder(mail, "INBOX")
    for (let number = 0; number < 40; number++) inbox.add(letter(number), now - hour)
    const form = { id: null, date: "", body: "40" }
    const bare = Buffer.from(String(letter(40, form)).replace(/^Date: \r\n/mu, ""))
    inbox.add(bare, now - 5 * hour)
    inbox.add(Buffer.from(String(bare)), now - 3 * hour)
    const account = await server.run(connectMailbox(mail))
    await server.run(lookUntilRead())
    expect(await server.run(storedMessages())).toHaveLength(42)
    inbox.renumber(500)
    const moved = inbox.remove([...inbox.mails.keys()][3] ?? 0)
    folder(mail, "Archive").add(moved?.raw ?? Buffer.alloc(0), moved?.receivedAt ?? 0)
    await server.run(lookAgain(account))
    expect(await server.run(storedMessages())).toHaveLength(42)
    const fetched = mail.commands.filter((command) => command === "UID FETCH").length
    await server.run(lookAgain(account))
    expect(mail.commands.filter((command) => command === "UID FETCH")).toHaveLength(fetched)
  })

  it("the grant shows the sync, the folders and the error", async () => {
    const { mail, server } = await start()
    folder(mail, "INBOX").add(letter(1), Date.now() - hour)
    const account = await server.run(connectMailbox(mail))
    const path = `/api/v1/tenants/acme/email/grants/${account.grantId}`
    const before = await server.call("GET", path, { as: adminKey })
    expect(before.json).toMatchObject({ last_sync_at: null, lag_seconds: null, error: null, folders: [] })
    await server.run(lookUntilRead())
    const after = await server.call("GET", path, { as: adminKey })
    const inbox = { path: "INBOX", role: "inbox", messages: 1, complete: true, synced_at: expect.any(String) }
    expect(after.json).toMatchObject({ error: null, lag_seconds: expect.any(Number) })
    expect(at(after.json, "folders")).toContainEqual(inbox)
    mail.faults.login = "NO [UNAVAILABLE] Try again later"
    await server.run(lookAgain(account))
    const failed = await server.call("GET", "/api/v1/tenants/acme/email/grants", { as: adminKey })
    expect(at(failed.json, "grants", 0, "error")).toContain("Try again later")
    expect(at(failed.json, "grants", 0, "status")).toBe("active")
  })

  it("stores sent mail as the tenant's side", async () => {
    const { mail, server } = await start()
    const own = { from: mailboxEmail, to: "jo@customer.example" }
    folder(mail, "Sent").add(letter(1, own), Date.now() - hour)
    folder(mail, "INBOX").add(letter(2), Date.now() - hour)
    await server.run(connectMailbox(mail))
    await server.run(lookUntilRead())
    const messages = await server.run(storedMessages())
    expect(messages.map(({ actor, body }) => `${body} ${actor}`).toSorted()).toEqual(["1 agent", "2 contact"])
  })

  it("takes unproved mail from an own address in other folders as no mail of the tenant", async () => {
    const { mail, server } = await start()
    const own = { from: mailboxEmail, to: "jo@customer.example" }
    for (const path of ["INBOX", "Archive"])
      folder(mail, path).add(letter(path === "INBOX" ? 1 : 2, own), Date.now() - hour)
    mail
      .account(mailboxEmail)
      .create("Customers")
      .add(letter(3, own), Date.now() - hour)
    await server.run(connectMailbox(mail))
    await server.run(lookUntilRead())
    const messages = await server.run(storedMessages())
    expect(messages.map(({ body }) => body).toSorted()).toEqual(["1", "2", "3"])
    expect(messages.filter(({ actor }) => actor === "agent")).toEqual([])
  })

  it("reads a mail whole that is larger than its stated size", async () => {
    const { mail, server } = await start()
    mail.faults.statedBytes = 10
    folder(mail, "INBOX").add(letter(1, { body: "x".repeat(600_000) }), Date.now() - hour)
    folder(mail, "INBOX").add(letter(2, { body: "short" }), Date.now() - hour)
    await server.run(connectMailbox(mail))
    await server.run(lookUntilRead())
    const lengths = (await server.run(storedMessages())).map(({ body }) => body.length)
    expect(lengths.toSorted((one, other) => one - other)).toEqual([5, 600_000])
  })

  it("reports a folder whose name cannot be stored, and reads the others", async () => {
    const { mail, server } = await start()
    folder(mail, "INBOX").add(letter(1), Date.now() - hour)
    const noise = Array.from({ length: 4_000 }, (_, index) => String.fromCodePoint(97 + ((index * index) % 23))).join(
      ""
    )
    mail
      .account(mailboxEmail)
      .create(noise)
      .add(letter(2), Date.now() - hour)
    await server.run(connectMailbox(mail))
    await server.run(lookUntilRead())
    expect(await bodiesOf(server)).toEqual(["1"])
    const grants = await server.call("GET", "/api/v1/tenants/acme/email/grants", { as: adminKey })
    expect(at(grants.json, "grants", 0, "error")).toContain("Rename the folder")
  })

  it("finds mail that the server shows late", async () => {
    const { mail, server } = await start()
    const inbox = folder(mail, "INBOX")
    inbox.add(letter(1), Date.now() - hour)
    const hidden = inbox.add(letter(2), Date.now() - hour)
    inbox.mails.delete(hidden.uid)
    inbox.add(letter(3), Date.now() - hour)
    const account = await server.run(connectMailbox(mail))
    await server.run(lookUntilRead())
    expect(await bodiesOf(server)).toEqual(["1", "3"])
    const others = [...inbox.mails.values()]
    inbox.mails.clear()
    for (const each of [...others, hidden].toSorted((one, other) => one.uid - other.uid))
      inbox.mails.set(each.uid, each)
    inbox.modseq += 1
    await server.run(lookAgain(account))
    expect(await bodiesOf(server)).toEqual(["1", "2", "3"])
  })

  it("records a mail that the server refuses to deliver, and reads the others", async () => {
    const { mail, server } = await start()
    const inbox = folder(mail, "INBOX")
    for (let number = 0; number < 3; number++) inbox.add(letter(number), Date.now() - hour)
    await server.run(connectMailbox(mail))
    // The first `UID FETCH` lists the mails, the second one reads them together, and the third one reads the first of
    // them alone. A missing entry means a normal response.
    const corrupt = "NO [CANNOT] The message is corrupt"
    mail.faults.refuse.set("UID FETCH", Object.assign([], { 1: corrupt, 2: corrupt }))
    await server.run(lookOnce())
    const counts = await server.run(Effect.flatMap(Arrivals, (arrivals) => arrivals.counts("acme")))
    expect([(await bodiesOf(server)).length, JSON.stringify(counts)]).toEqual([2, expect.stringContaining("failed")])
  })

  it("a refused login expires the account, and an accepted one activates it again", async () => {
    const { mail, server } = await start()
    const account = await server.run(connectMailbox(mail))
    const read = () =>
      server.run(
        Effect.gen(function* () {
          const grant = yield* (yield* Grants).current("acme")
          return { grant, sync: yield* (yield* MailboxSyncs).find("acme", account.grantId) }
        })
      )
    mail.faults.login = "NO [AUTHENTICATIONFAILED] Invalid credentials"
    await server.run(lookUntilRead())
    const failed = await read()
    expect(failed.grant?.status).toBe("expired")
    expect(failed.sync?.error).toContain("Invalid credentials")
    expect(failed.sync?.dueAt).toBeGreaterThan(Date.now() + 2 * hour)
    mail.faults.login = null
    await server.run(lookAgain(account))
    const healed = await read()
    expect(healed.grant?.status).toBe("active")
    expect(healed.sync).toMatchObject({ error: null, failures: 0, failingSince: null })
  })

  it("continues after cuts of the connection, and loses nothing", async () => {
    const { mail, server } = await start()
    for (let number = 0; number < 60; number++) folder(mail, "INBOX").add(letter(number), Date.now() - hour)
    const account = await server.run(connectMailbox(mail))
    const memory = emptyMemory()
    for (let cuts = 0; cuts < 12; cuts++) {
      mail.faults.cutAfterBytes = 4_000 + cuts * 2_500
      await server.run(
        Effect.gen(function* () {
          const syncs = yield* MailboxSyncs
          const sync = yield* syncs.find("acme", account.grantId)
          yield* syncs.save({ ...(sync ?? expect.fail()), dueAt: 0 })
          yield* lookOnce(memory)
        })
      )
    }
    mail.faults.cutAfterBytes = null
    await server.run(lookAgain(account))
    expect(await bodiesOf(server)).toEqual(numbers(60))
    const counts = await server.run(Effect.flatMap(Arrivals, (arrivals) => arrivals.counts("acme")))
    expect(JSON.stringify(counts)).not.toContain("failed")
  })
  it("loses nothing and duplicates nothing when it is killed while mail is moved, deleted, flagged and renumbered", async () => {
    const { mail, server } = await start()
    const inbox = folder(mail, "INBOX")
    const kept = new Set<string>()
    const deliver = (number: number) => {
      kept.add(String(number))
      return inbox.add(letter(number), Date.now() - hour)
    }
    for (let number = 0; number < 40; number++) deliver(number)
    const account = await server.run(connectMailbox(mail))
    const random = prand(7)
    for (let kills = 0; kills < 20; kills++) {
      await server.run(
        Effect.gen(function* () {
          const syncs = yield* MailboxSyncs
          const sync = yield* syncs.find("acme", account.grantId)
          yield* syncs.save({ ...(sync ?? expect.fail()), dueAt: 0 })
        })
      )
      const last = mail.commands.length + 4 + Math.floor(random() * 30)
      const killed = Effect.repeat(Effect.sleep("1 millis"), { until: () => mail.commands.length >= last })
      await server.run(Effect.raceFirst(Effect.asVoid(lookOnce()), Effect.asVoid(killed)))
      deliver(100 + kills)
      const mails = [...inbox.mails.values()]
      const chosen = mails[Math.floor(random() * mails.length)]
      if (kills % 7 === 3) inbox.renumber(1_000 * kills)
      else if (kills % 3 === 1 && chosen !== undefined) {
        inbox.remove(chosen.uid)
        folder(mail, "Archive").add(chosen.raw, chosen.receivedAt)
      } else if (chosen !== undefined) inbox.setFlags(chosen, ["\\Seen"])
    }
    await server.run(lookAgain(account))
    const bodies = await bodiesOf(server)
    const lost = [...kept].filter((body) => !bodies.includes(body))
    expect({ lost, duplicated: bodies.length - new Set(bodies).size, stored: bodies.length }).toEqual({
      lost: [],
      duplicated: 0,
      stored: kept.size
    })
  })
})
