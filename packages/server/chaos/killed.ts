/**
 * Runs servers on one Postgres under a load of events, pipeline requests, mails with automatic replies and sends by the
 * API. Every few seconds one server is killed (SIGKILL) and restarted. Every request without acknowledgement is repeated
 * with its idempotency key. When the queues are empty, the results in the database and at the relay are counted.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { type ReceivedMail, type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { someConfig } from "../test/world/Endpoints.ts"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey } from "../test/world/TestServer.ts"
import { openTenants, startLoad, tallyLoad } from "./Load.ts"
import { type Servers, startServers } from "./Servers.ts"
import { drained, handlingOf, openPostgres, type Stored } from "./Stored.ts"
import { chaosResult, handlingChecks, sumOf, tallyOf } from "./Tally.ts"

interface Plan {
  readonly seconds: number
  readonly secondsBetweenKills: number
  readonly servers: number
  /** Mails with automatic replies and sends by the API, for each of their tenants. */
  readonly mails: number
  /** The pause of each sender of events and requests after an accepted one. */
  readonly pauseMillis: number
}

const [shops, mailers, senders] = [
  ["shop1", "shop2", "shop3", "shop4"],
  ["mail1", "mail2", "mail3", "mail4"],
  ["send1", "send2"]
]
const rules = [
  {
    id: "rule_thanks",
    name: "Thanks",
    priority: 1,
    when: { fact: "message.text", op: "contains", value: "kitchen" },
    actions: [{ type: "reply", template: "Thank you, {{contact.first_name}}." }]
  }
]

/** Creates the tenants that send mail. */
const openAccounts = async (servers: Servers): Promise<void> => {
  await openTenants(servers, [...mailers, ...senders])
  for (const tenant of [...mailers, ...senders]) {
    const account = { provider: "smtp", email: `hello@${tenant}.example` }
    await servers.insist({ method: "POST", path: `/tenants/${tenant}/email/connect`, body: account, as: adminKey })
    const config = { ...someConfig, reply_mode: "auto", rules }
    await servers.insist({ method: "PUT", path: `/config/${tenant}`, body: config, as: adminKey })
  }
}

const rawMail = (tenant: string, number: number): string =>
  [
    `From: Jane ${number} <jane${number}@${tenant}.customer.example>`,
    `To: hello@${tenant}.example`,
    "Subject: Kitchen",
    `Message-ID: <${number}@${tenant}.customer.example>`,
    "",
    `mail ${tenant} A kitchen, please, number ${number}.`
  ].join("\r\n")

/** Imports mails that are answered automatically. Adds each accepted one. */
const importMails = async (servers: Servers, tenant: string, plan: Plan, accepted: Set<string>): Promise<void> => {
  for (let number = 0; number < plan.mails; number++) {
    const raw = Buffer.from(rawMail(tenant, number)).toString("base64")
    const body = { historical: false, mails: [{ name: String(number), raw }] }
    const call = { method: "POST", path: `/import/${tenant}/email`, body, as: adminKey }
    // Every second import has a key. It stays reserved for up to 30 s after a kill. Without a key, the server recognises
    // the mail.
    await servers.insist(number % 2 === 0 ? call : { ...call, key: `import-${number}` })
    accepted.add(`${number}@${tenant}.customer.example`)
    await sleep((plan.seconds * 900) / plan.mails)
  }
}

/** Sends mails by the API. Adds the subject of each accepted one. */
const sendMails = async (servers: Servers, tenant: string, plan: Plan, accepted: Set<string>): Promise<void> => {
  for (let number = 0; number < plan.mails; number++) {
    const subject = `send ${tenant} ${number}`
    const body = { to: [{ email: `c${number}@customer.example` }], subject, body: "Hello" }
    const call = { method: "POST", path: `/tenants/${tenant}/email/send`, body, as: adminKey }
    const { status } = await servers.insist({ ...call, key: `send-${number}` })
    if (status === 201) accepted.add(subject)
    await sleep((plan.seconds * 900) / plan.mails)
  }
}

/** Kills one server after another until the signal. Returns the number of kills. */
const killAll = async (servers: Servers, secondsBetween: number, signal: AbortSignal): Promise<number> => {
  let kills = 0
  while (!signal.aborted) {
    await sleep(secondsBetween * 1_000)
    await servers.kill(kills++ % servers.ports.length)
  }
  return kills
}

const header = (raw: string, name: string): string => new RegExp(`^${name}: (.*?)\\r?$`, "imu").exec(raw)?.[1] ?? ""

/** Returns the values of a header that occur in more than one mail. */
const repeated = (mails: ReadonlyArray<ReceivedMail>, name: string): number => {
  const values = mails.map(({ raw }) => header(raw, name)).filter((value) => value !== "")
  return values.length - new Set(values).size
}

const underLoad = async (servers: Servers, plan: Plan) => {
  const keys = await openTenants(servers, shops)
  await openAccounts(servers)
  const load = startLoad(servers, keys, { eventSenders: 12, requestSenders: 4, pauseMillis: plan.pauseMillis })
  const [mails, sends] = [new Set<string>(), new Set<string>()]
  const ending = AbortSignal.timeout(plan.seconds * 1_000)
  const [kills] = await Promise.all([
    killAll(servers, plan.secondsBetweenKills, ending),
    ...mailers.map((tenant) => importMails(servers, tenant, plan, mails)),
    ...senders.map((tenant) => sendMails(servers, tenant, plan, sends))
  ])
  await load.stop()
  return { load, mails, sends, kills }
}

const count = async (stored: Stored, sink: SmtpSink, outcome: Awaited<ReturnType<typeof underLoad>>) => {
  const arrived = sink.mails.filter(({ accepted }) => accepted)
  const { kills, load, mails, sends } = outcome
  const imported = await stored.values(
    "SELECT internet_message_id FROM messages WHERE actor = 'contact' AND tenant_id LIKE 'mail%'"
  )
  const subjects = arrived.map(({ raw }) => header(raw, "Subject")).filter((subject) => subject.startsWith("send "))
  const unknown = await stored.values(
    "SELECT m.subject FROM sends s JOIN messages m ON m.tenant_id = s.tenant_id AND m.message_id = s.message_id WHERE s.state = 'unknown'"
  )
  // A send that the relay may or may not have is reported as unknown and is never repeated.
  const certain = new Set([...sends].filter((subject) => !unknown.includes(subject)))
  const states = await stored.values("SELECT state || ' ' || count(*) FROM sends GROUP BY state ORDER BY state")
  const tallies = {
    load: await tallyLoad(load, stored),
    mails: tallyOf(mails, imported),
    sends: tallyOf(
      certain,
      subjects.filter((subject) => !unknown.includes(subject))
    )
  }
  const handling = await handlingOf(stored)
  const figures = { kills, retries: load.retries(), handling, relayed: arrived.length, sends: states, tallies }
  return chaosResult(sumOf(Object.values(tallies)), figures, {
    "no message is answered twice": repeated(arrived, "In-Reply-To") === 0,
    "no mail is sent twice": repeated(arrived, "Message-ID") === 0,
    ...handlingChecks(handling)
  })
}

const run = async (plan: Plan): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const postgres = await startForBenchmarks()
  const sink = await startSink()
  const servers = await startServers(plan.servers, (index) => ({
    LEADLOOM_DATA_DIR: `${folder.path}/${index}`,
    LEADLOOM_DATABASE_URL: postgres.url,
    LEADLOOM_SECRET_KEY: "one-secret-for-all-of-the-servers-here",
    LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_LIMIT_WEBHOOK: "1000000"
  }))
  const stored = await openPostgres(postgres.url)
  try {
    const outcome = await underLoad(servers, plan)
    const drainSeconds = await drained(stored)
    const { checks, figures } = await count(stored, sink, outcome)
    return { figures: { ...plan, drainSeconds, ...figures }, checks }
  } finally {
    await servers.stop()
    await stored.close()
    await sink.close()
    await postgres.stop()
    folder.remove()
  }
}

export const bench: Bench = {
  name: "killed",
  purpose: "Servers on one Postgres that are killed in turn under events, requests, mails and sends.",
  usage: "[seconds] [seconds between two kills] [servers] [mails of each tenant] [pause of a sender in ms]",
  sizes: { smallest: [2, 1, 2, 2, 500], small: [15, 3, 3, 40, 0], full: [60, 3, 3, 120, 0] },
  run: (args) =>
    run({
      seconds: numberAt(args, 0),
      secondsBetweenKills: numberAt(args, 1),
      servers: numberAt(args, 2),
      mails: numberAt(args, 3),
      pauseMillis: numberAt(args, 4)
    })
}
