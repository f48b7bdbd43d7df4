import { deepStrictEqual } from "node:assert"
import { createClient, type Leadloom, type User } from "@leadloom/client"

/** A person at work: the user, and a client that acts as this user. */
export interface Agent {
  readonly user: User
  readonly client: Leadloom
}

/** The tenant of the day. */
export interface Place {
  readonly tenant: string
  /** A client with the admin key, for the settings and reports that agents may not use. */
  readonly manager: Leadloom
}

/** The tenant, its people and its teams. */
export interface Day extends Place {
  readonly ada: Agent
  readonly ben: Agent
  readonly eva: Agent
  readonly teams: { readonly sales: string; readonly service: string }
}

/** A step of the day. Returns a line for each part that it has checked. */
export type Step = (day: Day) => Promise<ReadonlyArray<string>>

/** Fails when a response differs from the expected value. */
export const check = (actual: unknown, expected: unknown, what: string): void => deepStrictEqual(actual, expected, what)

/** The time in 24 hours. */
export const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString()

interface Mail {
  readonly id: string
  readonly from: string
  readonly subject: string
  readonly body: string
  /** The Message-ID of the answered mail. */
  readonly answers?: string
}

/** Receives a mail of a customer. Returns the ids of its contact, lead, message and thread. */
export const receive = async ({ manager, tenant }: Day, { answers, body, from, id, subject }: Mail) => {
  const headers = [
    `From: ${from}`,
    `To: hello@${tenant}.example`,
    `Subject: ${subject}`,
    `Message-ID: <${id}@customer.example>`,
    ...(answers === undefined ? [] : [`In-Reply-To: <${answers}@customer.example>`]),
    "Content-Type: text/plain; charset=utf-8"
  ]
  const raw = Buffer.from(`${headers.join("\r\n")}\r\n\r\n${body}\r\n`).toString("base64")
  const { results } = await manager.import.email(tenant, { historical: false, mails: [{ name: id, raw }] })
  const { contact_id, lead_id, message_id, outcome, thread_id } = results[0] ?? {}
  check(outcome, "message", `the mail ${id} is stored`)
  return { contact: contact_id ?? "", lead: lead_id ?? "", message: message_id ?? "", thread: thread_id ?? "" }
}

type Environment = Readonly<Record<string, string | undefined>>

const urlOf = (env: Environment): string => env["LEADLOOM_URL"] ?? "http://127.0.0.1:4800"

/** Connects to the tenant of the day. */
export const connect = (env: Environment): Place => ({
  tenant: env["LEADLOOM_TENANT"] ?? "agent-day",
  manager: createClient({ baseUrl: urlOf(env), credential: env["LEADLOOM_ADMIN_KEY"] })
})

/** Creates the tenant, its account for email, three agents and two teams. */
export const openDay = async (env: Environment): Promise<Day> => {
  const { manager, tenant } = connect(env)
  await manager.tenants.create({ tenant_id: tenant, name: "Day Roofs", domain: `${tenant}.example` })
  await manager.config.update(tenant, { reply_mode: "off", classifier: "keywords" })
  await manager.email.connect(tenant, { provider: "smtp", email: `hello@${tenant}.example` })
  const hire = async (name: string): Promise<Agent> => {
    const user = await manager.users.create(tenant, { name, email: `${name.toLowerCase()}@${tenant}.example` })
    const { token } = await manager.sessions.mint({ tenant_id: tenant, user_id: user.id })
    const client = createClient({ baseUrl: urlOf(env), credential: token })
    check((await client.users.me(tenant)).id, user.id, `the session of ${name} acts as ${name}`)
    return { user, client }
  }
  const [ada, ben, eva] = [await hire("Ada"), await hire("Ben"), await hire("Eva")]
  const sales = await manager.teams.create(tenant, { name: "Sales", member_ids: [ada.user.id, eva.user.id] })
  const service = await manager.teams.create(tenant, { name: "Service", member_ids: [ben.user.id] })
  return { tenant, manager, ada, ben, eva, teams: { sales: sales.id, service: service.id } }
}
