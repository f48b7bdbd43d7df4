/**
 * Three servers on one Postgres read many mailboxes of one Dovecot, each of its own tenant. A mail arrives in every
 * mailbox, then one server is killed and another mail arrives in every mailbox. Reports the time from the arrival of a
 * mail to its storage. A mailbox of the killed server is read again when its lease has ended.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { quantile } from "@leadloom/testkit/bench/Median"
import { type Dovecot, dovecotMissing, startDovecot } from "@leadloom/testkit/imap/Dovecot"
import { startSubmission } from "@leadloom/testkit/mail/SubmissionServer"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey } from "../test/world/TestServer.ts"
import { type Servers, startServers } from "./Servers.ts"
import { countOf, openPostgres, type Stored } from "./Stored.ts"
import { chaosResult, tallyOf } from "./Tally.ts"

const password = "correct horse"
const serverCount = 3
/** The mailboxes that are connected concurrently. */
const connecting = 8
const pollMillis = 50
/** The pause between two arrivals. */
const arrivalMillis = 20
const maxWaitMillis = 180_000

interface Mailbox {
  readonly tenant: string
  readonly email: string
}

const mailboxes = (count: number): ReadonlyArray<Mailbox> =>
  Array.from({ length: count }, (_, index) => ({ tenant: `box${index}`, email: `hello@box${index}.example` }))

const connectAll = async (
  servers: Servers,
  boxes: ReadonlyArray<Mailbox>,
  ports: { readonly imap: number; readonly smtp: number }
): Promise<void> => {
  const at = (port: number) => ({ host: "127.0.0.1", port, security: "none" })
  const waiting = [...boxes]
  const connector = async (): Promise<void> => {
    for (let box = waiting.pop(); box !== undefined; box = waiting.pop()) {
      const { email, tenant } = box
      const body = { tenant_id: tenant, name: tenant, domain: `${tenant}.example` }
      await servers.insist({ method: "POST", path: "/admin/tenants", body, as: adminKey })
      const account = { provider: "imap", email, password, imap: at(ports.imap), smtp: at(ports.smtp) }
      await servers.insist({ method: "POST", path: `/tenants/${tenant}/email/connect`, body: account, as: adminKey })
    }
  }
  await Promise.all(Array.from({ length: connecting }, connector))
}

const storedSubjects = (stored: Stored): Promise<ReadonlyArray<string>> =>
  stored.values("SELECT subject FROM messages WHERE channel = 'email'")

/** Waits until a condition holds, at most `maxWaitMillis`. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  const begun = performance.now()
  while (!(await holds()) && performance.now() - begun < maxWaitMillis) await sleep(pollMillis)
}

/** Delivers a mail to each mailbox. Adds the time of each arrival by subject. */
const deliverAll = async (
  dovecot: Dovecot,
  boxes: ReadonlyArray<Mailbox>,
  part: string,
  arrivals: Map<string, number>
): Promise<void> => {
  for (const { email, tenant } of boxes) {
    const subject = `${part} ${tenant}`
    const lines = ["From: c@customer.example", `To: ${email}`, `Subject: ${subject}`, "", "Hello"]
    arrivals.set(subject, performance.now())
    dovecot.deliver(email, "INBOX", Buffer.from(lines.join("\r\n")), Date.now())
    await sleep(arrivalMillis)
  }
}

/** Delivers a mail to each mailbox. Measures the seconds from its arrival to the poll that finds it stored. */
const measure = async (dovecot: Dovecot, stored: Stored, boxes: ReadonlyArray<Mailbox>, part: string) => {
  const arrivals = new Map<string, number>()
  const seconds = new Map<string, number>()
  const delivering = deliverAll(dovecot, boxes, part, arrivals)
  await until(async () => {
    const subjects = await storedSubjects(stored)
    const now = performance.now()
    for (const subject of subjects) {
      const at = arrivals.get(subject)
      if (at !== undefined && !seconds.has(subject)) seconds.set(subject, (now - at) / 1_000)
    }
    return seconds.size === boxes.length
  })
  await delivering
  const values = [...seconds.values()]
  const round = (value: number): number => Number(value.toFixed(2))
  const [p50, p99] = [round(quantile(values, 0.5)), round(quantile(values, 0.99))]
  return { subjects: [...arrivals.keys()], p50, p99, longest: round(Math.max(...values)) }
}

const run = async (count: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const boxes = mailboxes(count)
  const postgres = await startForBenchmarks()
  const url = await postgres.database()
  const dovecot = await startDovecot({ accounts: Object.fromEntries(boxes.map(({ email }) => [email, password])) })
  const smtp = await startSubmission({ password })
  const servers = await startServers(serverCount, () => ({
    LEADLOOM_DATABASE_URL: url,
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${dovecot.port},127.0.0.1:${smtp.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000"
  }))
  const stored = await openPostgres(url)
  try {
    await connectAll(servers, boxes, { imap: dovecot.port, smtp: smtp.port })
    const synced = () => countOf(stored, "SELECT count(*) FROM mailbox_syncs WHERE last_sync_at IS NOT NULL")
    await until(async () => (await synced()) === count)
    progress(`${await synced()} of ${count} mailboxes are read`)
    const steady = await measure(dovecot, stored, boxes, "steady")
    await servers.kill(0)
    const killed = await measure(dovecot, stored, boxes, "killed")
    const { subjects: before, ...secondsSteady } = steady
    const { subjects: after, ...secondsAfterKill } = killed
    const tally = tallyOf(new Set([...before, ...after]), await storedSubjects(stored))
    return chaosResult(tally, { mailboxes: count, secondsSteady, secondsAfterKill })
  } finally {
    await stored.close()
    await servers.stop()
    await Promise.all([dovecot.close(), smtp.close()])
    await postgres.stop()
    folder.remove()
  }
}

export const bench: Bench = {
  name: "takeover",
  purpose: "Three servers read many mailboxes of one Dovecot, and one server is killed: each mail once, and how soon.",
  usage: "[mailboxes]",
  sizes: { smallest: [3], small: [30], full: [300] },
  missing: dovecotMissing,
  run: (args) => run(numberAt(args, 0))
}
