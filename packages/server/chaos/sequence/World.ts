/** Creates the tenants of a plan over HTTP. */
import { adminKey, textAt } from "../../test/world/TestServer.ts"
import { type Plan, type PlannedStep, type PlannedTenant, rules } from "./Plan.ts"
import type { SimulatedServers } from "./SimulatedServers.ts"

/** The ids of a plan. */
export interface World {
  /** By the keys of people. */
  readonly contactIds: ReadonlyMap<string, string>
  /** By the keys of sequences. */
  readonly sequenceIds: ReadonlyMap<string, string>
  /** The keys of the event sources, by tenant. */
  readonly sources: ReadonlyMap<string, string>
}

/** The requests that are sent at the same time. */
const concurrency = 8

/** Handles items with several requests at the same time. */
export const inParallel = async <A>(items: ReadonlyArray<A>, each: (item: A) => Promise<void>): Promise<void> => {
  const waiting = [...items].toReversed()
  const loop = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await each(item)
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
}

/** No limit pauses a sequence, because more people opt out here than usually. */
const limits = { bounce_percent: null, complaint_percent: null, opt_out_percent: null, min_messages: 50 }

const office = [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }]

const stepOf = (sequence: string) => (step: PlannedStep) => {
  const { delay, inOffice, kind, name } = step
  const text = `${sequence}/${name}`
  const about = {
    email: { kind: "send", channel: "email", subject: text, body: `${text} for {{ contact.first_name }}` },
    sms: { kind: "send", channel: "sms", body: text },
    task: { kind: "task", title: text },
    wait: { kind: "wait" }
  }[kind]
  return { name, delay, ...(inOffice ? { window: office } : {}), ...about }
}

const openTenant = async (servers: SimulatedServers, { dailyMessages, phone, quiet, tenant, zone }: PlannedTenant) => {
  const call = (method: string, path: string, body: unknown) => servers.insist({ method, path, body, as: adminKey })
  await call("POST", "/admin/tenants", { tenant_id: tenant, name: tenant, domain: `${tenant}.example` })
  await call("POST", `/tenants/${tenant}/fields`, { key: "level", label: "Level", type: "text" })
  await call("POST", `/tenants/${tenant}/fields`, { key: "renewal", label: "Renewal", type: "date" })
  await call("PATCH", `/config/${tenant}`, {
    rules,
    reply_mode: "off",
    time_zone: zone,
    guardrails: quiet === null ? [] : [{ id: "quiet", kind: "quiet_hours", ...quiet }],
    max_sequence_messages_per_day: dailyMessages
  })
  await call("POST", `/tenants/${tenant}/email/connect`, { provider: "smtp", email: `office@${tenant}.example` })
  await call("PUT", "/admin/phone-numbers", { phone, tenant_id: tenant, default: true })
  return textAt((await call("POST", `/admin/tenants/${tenant}/sources`, { source_id: "form" })).json, "key")
}

/** Creates everything of a plan. */
export const makeWorld = async (servers: SimulatedServers, plan: Plan): Promise<World> => {
  const sources = new Map<string, string>()
  for (const tenant of plan.tenants) sources.set(tenant.tenant, await openTenant(servers, tenant))
  const post = async (tenant: string, path: string, body: unknown, key: string): Promise<string> => {
    const call = { method: "POST", path: `/tenants/${tenant}${path}`, body, as: adminKey, key }
    return textAt((await servers.insist(call)).json, "id")
  }
  const sequenceIds = new Map<string, string>()
  for (const { key, steps, tenant } of plan.sequences)
    sequenceIds.set(key, await post(tenant, "/sequences", { name: key, steps: steps.map(stepOf(key)), limits }, key))
  const contactIds = new Map<string, string>()
  await inParallel(plan.people, async ({ email, key, phone, tenant, zone }) => {
    const body = { name: key, email, phone, attributes: { time_zone: zone } }
    contactIds.set(key, await post(tenant, "/contacts", body, key))
  })
  return { contactIds, sequenceIds, sources }
}
