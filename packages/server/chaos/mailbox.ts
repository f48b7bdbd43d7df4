/**
 * Servers on one Postgres read a mailbox at an IMAP server, through a relay that cuts the network. A server holds the
 * mailbox by its lease. In rounds, mails arrive, move, get flags and are expunged, the inbox gets a new UIDVALIDITY, and
 * a server is killed or the network is cut, both during the first sync and later. Every mail must be stored once.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { type ImapStandIn, startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { startSubmission } from "@leadloom/testkit/mail/SubmissionServer"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey } from "../test/world/TestServer.ts"
import { openTenants } from "./Load.ts"
import { makeRelay, type Relay } from "./Relay.ts"
import { type Servers, startServers } from "./Servers.ts"
import { openPostgres, type Stored } from "./Stored.ts"
import { chaosResult, tallyOf } from "./Tally.ts"

const tenant = "mail1"
const email = `hello@${tenant}.example`
const password = "correct horse"
/** The time of a round in milliseconds, within which the server can read and be interrupted. */
const roundMillis = 400
const cutMillis = 300
/** The time within which everything must be stored after the last fault. It exceeds the lease and the longest wait. */
const maxSettleMillis = 300_000
/** The mails that arrive in a round. */
const arriving = 3

const hourMillis = 3_600_000

/** The mailbox of the person, and the subjects of all mails that it had. */
class Person {
  readonly subjects = new Set<string>()
  readonly #server: ImapStandIn

  constructor(server: ImapStandIn) {
    this.#server = server
  }

  #folder(path: string) {
    return this.#server.account(email).folder(path)
  }

  /** Delivers mails, every fourth one without a Message-ID. */
  deliver(count: number, receivedAt: () => number): void {
    for (let added = 0; added < count; added++) {
      const number = this.subjects.size
      const subject = `mail ${number}`
      const id = number % 4 === 3 ? [] : [`Message-ID: <${number}@customer.example>`]
      const lines = [
        `From: c${number}@customer.example`,
        `To: ${email}`,
        `Subject: ${subject}`,
        ...id,
        "",
        `No. ${number}`
      ]
      this.#folder("INBOX").add(Buffer.from(lines.join("\r\n")), receivedAt())
      this.subjects.add(subject)
    }
  }

  /** Moves the oldest mail to the archive, flags another one, and expunges a copy of it. */
  rearrange(): void {
    const [inbox, archive] = [this.#folder("INBOX"), this.#folder("Archive")]
    const [oldest, next] = [...inbox.mails.values()]
    if (oldest === undefined || next === undefined) return
    archive.add(oldest.raw, oldest.receivedAt)
    inbox.remove(oldest.uid)
    inbox.setFlags(next, ["\\Seen"])
    archive.remove(archive.add(next.raw, next.receivedAt).uid)
  }

  /** Gives the inbox a new UIDVALIDITY. */
  renumber(): void {
    this.#folder("INBOX").renumber(1)
  }
}

const storedSubjects = (stored: Stored): Promise<ReadonlyArray<string>> =>
  stored.values(`SELECT subject FROM messages WHERE tenant_id = '${tenant}' AND channel = 'email'`)

const cut = async (relay: Relay): Promise<void> => {
  await relay.down()
  await sleep(cutMillis)
  await relay.up()
}

/** Changes the mailbox in rounds. Kills a server in every even round, and cuts the network in every odd one. */
const disturb = async (person: Person, servers: Servers, relay: Relay, rounds: number): Promise<void> => {
  for (let round = 0; round < rounds; round++) {
    person.deliver(arriving, () => Date.now())
    await sleep(roundMillis)
    person.rearrange()
    if (round % 5 === 4) person.renumber()
    if (round % 2 === 1) await cut(relay)
    else {
      const index = (round / 2) % servers.ports.length
      await servers.kill(index)
      await servers.ready(index)
    }
  }
}

/** Waits until all mails are stored. Returns the seconds. */
const settle = async (stored: Stored, person: Person): Promise<number> => {
  const begun = performance.now()
  while (tallyOf(person.subjects, await storedSubjects(stored)).lost > 0) {
    if (performance.now() - begun > maxSettleMillis) break
    await sleep(100)
  }
  return Math.round((performance.now() - begun) / 1_000)
}

const connectMailbox = async (servers: Servers, imapPort: number, smtpPort: number): Promise<void> => {
  await openTenants(servers, [tenant])
  const at = (port: number) => ({ host: "127.0.0.1", port, security: "none" })
  const body = { provider: "imap", email, password, imap: at(imapPort), smtp: at(smtpPort) }
  await servers.insist({ method: "POST", path: `/tenants/${tenant}/email/connect`, body, as: adminKey })
}

const run = async (count: number, history: number, rounds: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const postgres = await startForBenchmarks()
  const url = await postgres.database()
  const imap = await startImapStandIn({ accounts: { [email]: password } })
  const smtp = await startSubmission({ password })
  const relay = await makeRelay(imap.port)
  const person = new Person(imap)
  person.deliver(history, () => Date.now() - hourMillis)
  const servers = await startServers(count, () => ({
    LEADLOOM_DATABASE_URL: url,
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${relay.port},127.0.0.1:${smtp.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000"
  }))
  const stored = await openPostgres(url)
  try {
    await relay.up()
    await connectMailbox(servers, relay.port, smtp.port)
    await disturb(person, servers, relay, rounds)
    const settledInSeconds = await settle(stored, person)
    const figures = { servers: count, kills: Math.ceil(rounds / 2), cuts: Math.floor(rounds / 2), settledInSeconds }
    return chaosResult(tallyOf(person.subjects, await storedSubjects(stored)), figures)
  } finally {
    await stored.close()
    await servers.stop()
    await relay.down()
    await Promise.all([imap.close(), smtp.close()])
    await postgres.stop()
    folder.remove()
  }
}

export const bench: Bench = {
  name: "mailbox",
  purpose: "A mailbox is read during kills of servers, cuts of the network and changes in the mailbox: each mail once.",
  usage: "[servers] [mails before the connection] [rounds with a kill or a cut]",
  sizes: { smallest: [1, 20, 2], small: [2, 300, 10], full: [3, 2_000, 40] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1), numberAt(args, 2))
}
