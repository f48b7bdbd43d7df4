import { readArrivals, readDemoConfig } from "../src/demo/Arrivals.ts"
import { feed } from "../src/demo/Feed.ts"
import { demoTenant, setUpDemo } from "../src/demo/Setup.ts"
import { type Demo, rows, tenant, text } from "./ExampleDemo.ts"

/** Creates the tenant and its keys. */
export const open = async (demo: Demo): Promise<void> => {
  const { adminKey, call, client } = demo
  await call("system.health")
  await call("tenants.create", { body: { ...tenant, name: "Larkspur Roofing", domain: "example.com" } })
  const keys = await setUpDemo(
    client,
    { adminKey, sessionSecret: "", apiKey: null, sourceKeys: {}, fed: false },
    async () => undefined
  )
  const key = text(keys.apiKey)
  await call("tenants.update", { params: tenant, body: { plan: "scale" } })
  await call("tenants.get", { params: tenant })
  await call("tenants.list")
  Object.assign(demo, { keys, key })
}

/** Manages sources, sessions and API keys. */
export const credentials = async (demo: Demo): Promise<void> => {
  const { call } = demo
  await call("sources.create", { params: tenant, body: { source_id: "crm-export" } })
  await call("sources.list", { params: tenant })
  await call("sources.remove", { params: { ...tenant, source_id: "crm-export" } })
  await call("sources.createGlobal", { body: { source_id: "partner-network" } })
  await call("sources.listGlobal")
  await call("sources.removeGlobal", { params: { source_id: "partner-network" } })
  await call("sessions.mint", { body: tenant })
  await call("sessions.createTicket", { body: tenant })
  await call("credential.get")
  await consoleSessions(demo)
  const made = await call("apiKeys.create", {
    params: tenant,
    body: { name: "Booking widget", scopes: ["read", "messages"] }
  })
  await call("apiKeys.list", { params: tenant })
  await call("apiKeys.rotate", { params: tenant, body: { key_id: text(made["id"]) } })
  await call("apiKeys.revoke", { params: { ...tenant, key_id: text(made["id"]) } })
}

/** Signs in with a link, and renews, revokes and ends the sessions. */
const consoleSessions = async ({ call }: Demo): Promise<void> => {
  const { ticket } = await call("sessions.createTicket", { body: { ...tenant, role: "manager" }, keep: false })
  const session = await call("sessions.mint", { body: { ticket }, keep: false })
  const as = text(session["token"])
  await call("consoleSessions.renew", { as })
  const { console_sessions: sessions } = await call("consoleSessions.list", { params: tenant })
  const unused = Array.isArray(sessions) ? sessions[0] : undefined
  await call("consoleSessions.revoke", { params: { ...tenant, session_id: text(unused?.id) } })
  await call("consoleSessions.end", { as })
}

/** Reminds a person of a quote that the customer has not answered. */
const quietQuote = {
  id: "quiet_quote",
  name: "No answer for two days",
  priority: 900,
  trigger: { type: "no_answer", after_minutes: 2_880 },
  when: { fact: "lead.state", op: "in", value: ["open", "engaged"] },
  actions: [{ type: "create_task", task_type: "follow_up", title: "Ask {{ contact.first_name }} about the quote" }]
}

/** Books a visit when a person asks for it. */
const bookVisit = {
  id: "book_visit",
  name: "Book a visit",
  priority: 910,
  trigger: { type: "manual" },
  when: { fact: "lead.state", op: "neq", value: "won" },
  actions: [{ type: "create_task", task_type: "follow_up", title: "Book a visit for {{ contact.first_name }}" }]
}

/** Gives insurance cases to one person. */
const insurance = {
  id: "insurance",
  name: "Insurance cases go to Kim",
  priority: 900,
  when: { fact: "message.text", op: "has_word", value: "insurance" },
  actions: [{ type: "assign", to: "kim" }]
}

/** Configures the tenant. */
export const settings = async (demo: Demo): Promise<void> => {
  const { call } = demo
  const config = await readDemoConfig()
  await call("config.presets")
  await call("config.scaffold", { params: tenant, body: { preset: "home_services", overwrite: true } })
  const settings = {
    ...config,
    rules: [...rows(config["rules"]), quietQuote, bookVisit],
    public_form: {
      enabled: true,
      allowed_origins: ["https://www.example.com"],
      thank_you_url: "https://www.example.com/thanks"
    },
    voice: {
      forward_to: "+12025550100",
      greeting: "Thank you for calling Larkspur Roofing.",
      record: false,
      missed_call_task: true,
      callback_hours: { from: "08:00", to: "18:00", days: ["mon", "tue", "wed", "thu", "fri"] }
    }
  }
  await call("config.replace", { params: tenant, body: settings })
  await call("config.update", { params: tenant, body: { reply_wait_seconds: 0, takeover_hours: 12 } })
  await call("config.get", { params: tenant })
  await rules(demo)
  await call("config.audit", { params: tenant, query: { limit: "2" } })
  await call("config.version", { params: { ...tenant, version: "2" } })
  await call("guardrails.update", { params: tenant, body: { upsert: [{ id: "no-prices", kind: "no_prices" }] } })
  await call("guardrails.active", { params: tenant })
  Object.assign(demo, { settings })
}

/** Reads, adds, changes, orders, tests and deletes rules. The configuration has the same rules afterwards. */
const rules = async ({ call }: Demo): Promise<void> => {
  await call("rules.catalogue", { params: tenant })
  const rule = { ...tenant, rule_id: insurance.id }
  await call("rules.create", { params: tenant, body: insurance })
  const stored = await call("rules.list", { params: tenant })
  await call("rules.get", { params: rule })
  await call("rules.update", { params: rule, body: { priority: 5 } })
  await call("rules.disable", { params: rule })
  await call("rules.enable", { params: rule })
  const ids = rows(stored["rules"]).map(({ id }) => text(id))
  const others = ids.filter((id) => id !== insurance.id)
  await call("rules.reorder", { params: tenant, body: { rule_ids: [...others, insurance.id] } })
  await call("rules.test", {
    params: tenant,
    body: {
      rule_id: insurance.id,
      message: "Does my insurance pay for the roof?",
      contact: { email: "ruth.alvarez@example.net" }
    }
  })
  await call("rules.delete", { params: rule })
}

/** Disconnects the email account of the demo, so that an account can be connected. */
const disconnectDemo = async ({ client }: Demo): Promise<void> => {
  const { grants } = await client.email.listGrants(demoTenant)
  for (const { grant_id: grantId } of grants) await client.email.disconnect(demoTenant, grantId)
}

/** Connects phone numbers, email and the voice assistant. */
export const channels = async (demo: Demo): Promise<void> => {
  const { call } = demo
  await disconnectDemo(demo)
  await call("phoneNumbers.assign", { body: { phone: "+12025550199", ...tenant, default: true } })
  await call("phoneNumbers.list")
  await call("smsFilters.block", { params: tenant, body: { phone: "+12025550166" } })
  await call("smsFilters.blocklist", { params: tenant })
  await call("smsFilters.unblock", { params: tenant, body: { phone: "+12025550166" } })
  await call("email.autoconfig", { params: tenant, query: { email: "larkspur@gmail.com" } })
  await call("email.connect", {
    params: tenant,
    body: { provider: "smtp", email: "hello@example.com", name: "Larkspur Roofing" }
  })
  const grants = await call("email.listGrants", { params: tenant })
  const grant = text(rows(grants["grants"])[0]?.["grant_id"])
  await call("email.getGrant", { params: { ...tenant, grant_id: grant } })
  await call("email.setDefaultGrant", { params: tenant, body: { grant_id: grant } })
  await call("email.updateAliases", { params: tenant, body: { aliases: ["office@example.com", "quotes@example.com"] } })
  await call("email.getAliases", { params: tenant })
  await call("email.updateSignature", { params: tenant, body: { signature: "Larkspur Roofing\n+1 202 555 0199" } })
  await call("assistant.makeSecret", { params: tenant })
  await call("assistant.setRetellKey", { params: tenant, body: { api_key: "key_of_the_retell_dashboard" } })
  await call("assistant.get", { params: tenant })
  await call("assistant.remove", { params: tenant })
  await call("locations.put", { body: { location_id: "Qk3vTz8LmN2pXa", ...tenant, sessions: "sso" } })
  await call("locations.list")
  Object.assign(demo, { grant })
}

const thanks =
  "From: Ruth Alvarez <ruth.alvarez@example.net>\r\nTo: hello@example.com\r\nSubject: Thank you\r\nDate: Fri, 27 Feb 2026 10:00:00 -0500\r\nMessage-ID: <thanks@example.net>\r\n\r\nThe new gutters look great.\r\n"
const photograph =
  'From: Ruth Alvarez <ruth.alvarez@example.net>\r\nTo: hello@example.com\r\nSubject: Re: Thank you\r\nDate: Fri, 27 Feb 2026 15:00:00 -0500\r\nMessage-ID: <photograph@example.net>\r\nIn-Reply-To: <thanks@example.net>\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>This is how they look.</p><img src="https://images.example.net/gutters.jpg" alt="Gutters">\r\n'
const question =
  "From: Ruth Alvarez <ruth.alvarez@example.net>\r\nTo: hello@example.com\r\nSubject: Re: Thank you\r\nDate: Fri, 27 Feb 2026 16:00:00 -0500\r\nMessage-ID: <question@example.net>\r\nIn-Reply-To: <photograph@example.net>\r\n\r\nDo you also paint them?\r\n"

const base64 = (text: string): string => Buffer.from(text).toString("base64")

/** Subscribes to events and receives the sample messages. */
export const arrivals = async (demo: Demo): Promise<void> => {
  const { call, client, keys, receiver } = demo
  const hook = await call("webhooks.create", {
    params: tenant,
    body: { url: receiver.urlOf(demoTenant), description: "Job planning", events: [], max_in_flight: 1 }
  })
  const webhook = { ...tenant, webhook_id: text(hook["id"]) }
  receiver.trust(demoTenant, text(hook["secret"]))

  for await (const outcome of feed(client, keys, await readArrivals())) void outcome
  await call("import.email", {
    params: tenant,
    body: {
      historical: true,
      mails: [
        { name: "inbox/0001.eml", raw: base64(thanks) },
        { name: "inbox/0002.eml", raw: base64(photograph) },
        { name: "inbox/0003.eml", raw: base64(question) }
      ]
    }
  })
  Object.assign(demo, { webhook })
}
