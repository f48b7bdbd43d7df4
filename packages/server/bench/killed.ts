/**
 * Runs three servers on one Postgres under a load of events, pipeline requests, mails with automatic replies and sends
 * by the API. Every few seconds one server is killed (SIGKILL) and restarted. Afterwards every request without
 * acknowledgement is repeated with its idempotency key. When the queues are empty, the results in the database and at
 * the relay are counted.
 *
 *   npm run bench -- killed [seconds] [seconds between two kills]
 */
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "@leadloom/testkit/FreePort"
import { startSink } from "@leadloom/testkit/mail/SmtpSink"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import pg from "pg"
import { someConfig } from "../test/world/Endpoints.ts"
import { type ServerProcess, startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey, at, textAt } from "../test/world/TestServer.ts"

const seconds = Number(process.argv[2] ?? 30)
const secondsBetweenKills = Number(process.argv[3] ?? 3)

const folder = temporaryFolder()
const postgres = await startForBenchmarks()
const sink = await startSink()
const ports = await Promise.all([1, 2, 3].map(freePort))
const start = (port: number): ServerProcess =>
  startProcess({
    LEADLOOM_PORT: String(port),
    LEADLOOM_DATA_DIR: `${folder.path}/${port}`,
    LEADLOOM_DATABASE_URL: postgres.url,
    LEADLOOM_SECRET_KEY: "one-secret-for-all-three-of-the-servers",
    LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_LIMIT_WEBHOOK: "1000000"
  })
const servers = ports.map(start)
await Promise.all(servers.map((server) => server.url))
const database = new pg.Client(postgres.url)
await database.connect()

interface Answer {
  readonly status: number
  readonly json: unknown
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly as: string
  readonly key?: string
}

const sendRequest = async (port: number, { as, body, key, method, path }: Call): Promise<Answer> => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key })
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000)
  })
  return { status: response.status, json: await response.json() }
}

let retries = 0
/** Repeats a request with the same key, on any server, until it succeeds or fails permanently. */
const insist = async (path: string, body: unknown, as: string, key: string): Promise<Answer> => {
  for (;;) {
    const port = ports[Math.floor(Math.random() * ports.length)] ?? 0
    const answer = await sendRequest(port, { method: "POST", path, body, as, key }).catch(() => null)
    const accepted = answer !== null && (answer.status < 300 || (answer.status === 429 && path.endsWith("/send")))
    if (answer !== null && accepted && at(answer.json, "status") !== "skipped") return answer
    if (answer !== null && answer.status >= 400 && ![409, 429, 503].includes(answer.status)) {
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.json)}`)
    }
    retries += 1
    await sleep(50)
  }
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
const sourceKeys = new Map<string, string>()
for (const tenant of [...shops, ...mailers, ...senders]) {
  const admin = (method: string, path: string, body: unknown) =>
    sendRequest(ports[0] ?? 0, { method, path, body, as: adminKey })
  await admin("POST", "/admin/tenants", { tenant_id: tenant, name: tenant, domain: `${tenant}.example` })
  const source = await admin("POST", `/admin/tenants/${tenant}/sources`, { source_id: "form" })
  sourceKeys.set(tenant, textAt(source.json, "key"))
  if (shops.includes(tenant)) continue
  await admin("POST", `/tenants/${tenant}/email/connect`, { provider: "smtp", email: `hello@${tenant}.example` })
  await admin("PUT", `/config/${tenant}`, { ...someConfig, reply_mode: "auto", rules })
}

const load = new AbortController()
const begun = performance.now()
const events = new Set<string>()
const requests = new Set<string>()
const mails = new Set<string>()
const sent = new Map<string, number>()
let next = 0

const sendEvents = async (): Promise<void> => {
  while (!load.signal.aborted) {
    const number = next++
    const tenant = shops[number % shops.length] ?? ""
    const event = {
      entity: { email: `c${number % 200}@customer.example` },
      content: { body: `event ${number}`, channel: "chat" }
    }
    await insist(`/events/${tenant}/form`, event, sourceKeys.get(tenant) ?? "", `event-${number}`)
    events.add(`event ${number}`)
  }
}
const sendRequests = async (): Promise<void> => {
  while (!load.signal.aborted) {
    const number = next++
    const body = {
      message: `request ${number}`,
      channel: "chat",
      contact: { email: `p${number % 50}@customer.example` }
    }
    await insist(`/webhook/automation/${shops[number % shops.length]}`, body, adminKey, `request-${number}`)
    requests.add(`request ${number}`)
  }
}
const writeMails = async (tenant: string): Promise<void> => {
  const count = 80
  for (let number = 0; number < count; number++) {
    const raw = [
      `From: Jane ${number} <jane${number}@${tenant}.customer.example>`,
      `To: hello@${tenant}.example`,
      "Subject: Kitchen",
      `Message-ID: <${number}@${tenant}.customer.example>`,
      "",
      `A kitchen, please, number ${number}.`
    ].join("\r\n")
    const body = { historical: false, mails: [{ name: String(number), raw: Buffer.from(raw).toString("base64") }] }
    await insist(`/import/${tenant}/email`, body, adminKey, `mail-${tenant}-${number}`)
    mails.add(`${tenant} ${number}`)
    await sleep((seconds * 900) / count)
  }
}
const sendMails = async (tenant: string): Promise<void> => {
  const count = 120
  for (let number = 0; number < count; number++) {
    const body = { to: [{ email: `c${number}@customer.example` }], subject: `send ${number}`, body: "Hello" }
    const { status } = await insist(`/tenants/${tenant}/email/send`, body, adminKey, `send-${number}`)
    sent.set(`${tenant} ${number}`, status)
    await sleep((seconds * 900) / count)
  }
}

let kills = 0
const kill = async (): Promise<void> => {
  while (!load.signal.aborted) {
    await sleep(secondsBetweenKills * 1_000)
    const index = kills++ % servers.length
    const victim = servers[index]
    victim?.kill("SIGKILL")
    await victim?.exit
    const port = ports[index]
    if (port !== undefined) servers[index] = start(port)
  }
}

setTimeout(() => load.abort(), seconds * 1_000)
await Promise.all([
  kill(),
  ...Array.from({ length: 12 }, sendEvents),
  ...Array.from({ length: 4 }, sendRequests),
  ...mailers.map(writeMails),
  ...senders.map(sendMails)
])
const loadSeconds = (performance.now() - begun) / 1_000

const one = async (text: string, params: ReadonlyArray<unknown> = []): Promise<number> =>
  Number((await database.query(text, [...params])).rows[0]?.count)
const open = (): Promise<number> =>
  one(
    `SELECT (SELECT count(*) FROM signals WHERE state = 'queued')
      + (SELECT count(*) FROM sends WHERE state = 'handed_over' OR (state = 'reserved' AND slot_at <= $1)) AS count`,
    [Date.now()]
  )
const drainBegun = performance.now()
while ((await open()) > 0) {
  if (performance.now() - drainBegun > 180_000) throw new Error("the queues did not become empty")
  await sleep(200)
}
const drainSeconds = (performance.now() - drainBegun) / 1_000
for (const server of servers) server.kill("SIGTERM")
await Promise.all(servers.map((server) => server.exit))

const bodies = async (prefix: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await database.query("SELECT body FROM messages WHERE body LIKE $1", [`${prefix} %`])
  return rows.map((row: { readonly body: string }) => row.body)
}
const compare = (stored: ReadonlyArray<string>, accepted: ReadonlySet<string>) => ({
  accepted: accepted.size,
  lost: [...accepted].filter((body) => !stored.includes(body)).length,
  double: stored.length - new Set(stored).size
})
const header = (raw: string, name: string): string => new RegExp(`^${name}: (.*?)\\r?$`, "imu").exec(raw)?.[1] ?? ""
const arrived = sink.mails.filter(({ accepted }) => accepted)
const perTenant = new Map<string, number>()
for (const { from } of arrived) perTenant.set(from, (perTenant.get(from) ?? 0) + 1)
const answered = arrived.map(({ raw }) => header(raw, "In-Reply-To")).filter((id) => id !== "")
const states = await database.query("SELECT state, count(*) AS count FROM sends GROUP BY state ORDER BY state")

console.log(
  JSON.stringify(
    {
      seconds: Number(loadSeconds.toFixed(1)),
      drainSeconds: Number(drainSeconds.toFixed(1)),
      kills,
      retries,
      events: compare(await bodies("event"), events),
      pipelineRequests: compare(await bodies("request"), requests),
      runs: {
        signals: await one("SELECT count(*) AS count FROM signals"),
        done: await one("SELECT count(*) AS count FROM signals WHERE state = 'done'"),
        runs: await one("SELECT count(*) AS count FROM runs")
      },
      mails: {
        accepted: mails.size,
        stored: await one("SELECT count(*) AS count FROM messages WHERE actor = 'contact' AND tenant_id LIKE 'mail%'")
      },
      relay: {
        arrived: arrived.length,
        twice: arrived.length - new Set(arrived.map(({ raw }) => header(raw, "Message-ID"))).size,
        answeredTwice: answered.length - new Set(answered).size,
        mostOfOneTenant: Math.max(...perTenant.values()),
        tenants: perTenant.size
      },
      sends: Object.fromEntries(
        states.rows.map((row: { state: string; count: string }) => [row.state, Number(row.count)])
      ),
      api: {
        accepted: [...sent.values()].filter((status) => status === 201).length,
        refused: [...sent.values()].filter((status) => status === 429).length
      }
    },
    null,
    1
  )
)
await database.end()
await sink.close()
await postgres.stop()
folder.remove()
