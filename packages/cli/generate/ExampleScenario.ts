import { setTimeout as pause } from "node:timers/promises"
import { createClient } from "@leadloom/client"
import type { Receiver } from "../src/day/Receiver.ts"
import { readArrivals, readDemoConfig } from "../src/demo/Arrivals.ts"
import { feed } from "../src/demo/Feed.ts"
import { demoTenant, setUpDemo } from "../src/demo/Setup.ts"
import { providerExamples } from "./ExampleProviders.ts"
import type { Recorder } from "./ExampleRecorder.ts"

interface Stage {
  readonly adminKey: string
  readonly recorder: Recorder
  readonly receiver: Receiver
  readonly url: string
}

const tenant = { tenant_id: demoTenant }
const agent = "nina@example.com"

const text = (value: unknown): string => {
  if (typeof value !== "string") throw new Error(`Expected a text instead of ${JSON.stringify(value)}`)
  return value
}

const rows = (value: unknown): ReadonlyArray<Record<string, unknown>> => (Array.isArray(value) ? value : [])

/** Repeats a call until its result fits. */
const until = async <A>(read: () => Promise<A>, fits: (value: A) => boolean): Promise<A> => {
  for (let tries = 0; tries < 150; tries++) {
    const value = await read()
    if (fits(value)) return value
    await pause(100)
  }
  throw new Error("The demo did not reach the expected state.")
}

/** Plays a morning at Larkspur Roofing and calls every operation that works without an outside provider. */
export const scenario = async ({ adminKey, receiver, recorder, url }: Stage): Promise<void> => {
  const client = createClient({ baseUrl: url, credential: adminKey })
  const failures: Array<string> = []
  const call: Recorder["call"] = async (operation, options = {}) => {
    try {
      return await recorder.call(operation, { as: adminKey, ...options })
    } catch (error) {
      failures.push(String(error))
      return {}
    }
  }

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
  await call("sources.create", { params: tenant, body: { source_id: "crm-export" } })
  await call("sources.list", { params: tenant })
  await call("sources.remove", { params: { ...tenant, source_id: "crm-export" } })
  await call("sources.createGlobal", { body: { source_id: "partner-network" } })
  await call("sources.listGlobal")
  await call("sources.removeGlobal", { params: { source_id: "partner-network" } })
  await call("sessions.mint", { body: tenant })
  const made = await call("apiKeys.create", {
    params: tenant,
    body: { name: "Booking widget", scopes: ["read", "messages"] }
  })
  await call("apiKeys.list", { params: tenant })
  await call("apiKeys.rotate", { params: tenant, body: { key_id: text(made["id"]) } })
  await call("apiKeys.revoke", { params: { ...tenant, key_id: text(made["id"]) } })

  const config = await readDemoConfig()
  await call("config.presets")
  await call("config.scaffold", { params: tenant, body: { preset: "home_services", overwrite: true } })
  const settings = {
    ...config,
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
  await call("config.audit", { params: tenant, query: { limit: "2" } })
  await call("config.version", { params: { ...tenant, version: "2" } })
  await call("guardrails.update", { params: tenant, body: { upsert: [{ id: "no-prices", kind: "no_prices" }] } })
  await call("guardrails.active", { params: tenant })

  await call("phoneNumbers.assign", { body: { phone: "+12025550199", ...tenant, default: true } })
  await call("phoneNumbers.list")
  await call("smsFilters.block", { params: tenant, body: { phone: "+12025550166" } })
  await call("smsFilters.blocklist", { params: tenant })
  await call("smsFilters.unblock", { params: tenant, body: { phone: "+12025550166" } })
  await call("email.connect", {
    params: tenant,
    body: { provider: "smtp", email: "hello@example.com", name: "Larkspur Roofing" }
  })
  const grants = await call("email.listGrants", { params: tenant })
  const grant = text(rows(grants["grants"])[0]?.["grant_id"])
  await call("email.getGrant", { params: { ...tenant, grant_id: grant } })
  await call("email.updateAliases", { params: tenant, body: { aliases: ["office@example.com", "quotes@example.com"] } })
  await call("email.getAliases", { params: tenant })
  await call("email.updateSignature", { params: tenant, body: { signature: "Larkspur Roofing\n+1 202 555 0199" } })
  await call("assistant.makeSecret", { params: tenant })
  await call("assistant.setRetellKey", { params: tenant, body: { api_key: "key_of_the_retell_dashboard" } })
  await call("assistant.get", { params: tenant })
  await call("assistant.remove", { params: tenant })
  await call("locations.put", { body: { location_id: "Qk3vTz8LmN2pXa", ...tenant, sessions: "sso" } })
  await call("locations.list")

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
        {
          name: "inbox/0001.eml",
          raw: Buffer.from(
            "From: Ruth Alvarez <ruth.alvarez@example.net>\r\nTo: hello@example.com\r\nSubject: Thank you\r\nDate: Fri, 27 Feb 2026 10:00:00 -0500\r\nMessage-ID: <thanks@example.net>\r\n\r\nThe new gutters look great.\r\n"
          ).toString("base64")
        }
      ]
    }
  })

  const found = await call("contacts.list", { params: tenant, query: { limit: "2" }, as: key })
  const everyone = rows(
    (await call("contacts.list", { params: tenant, query: { limit: "100" }, as: key, keep: false }))["contacts"]
  )
  const priya =
    everyone.find(({ name }) => String(name).startsWith("Priya")) ?? everyone[0] ?? rows(found["contacts"])[0] ?? {}
  const contact = { ...tenant, contact_id: text(priya["id"]) }
  await call("contacts.get", { params: contact, as: key })
  await call("contacts.update", {
    params: contact,
    body: {
      notes: "Prefers calls in the afternoon.",
      tags: ["roof-repair"],
      attributes: { roof_area_m2: 85, insured: true }
    },
    as: key
  })
  const fresh = await call("contacts.create", {
    params: tenant,
    body: { name: "Priya Nair", phone: "+12025550177", company: "Nair Dental" },
    as: key
  })
  const other = { ...tenant, contact_id: text(fresh["id"]) }
  await call("contacts.archive", { params: other, as: key })
  await call("contacts.restore", { params: other, as: key })
  await call("contacts.resolve", { params: tenant, body: { phone: "(202) 555-0143" }, as: key })
  await call("contactViews.detail", { params: contact, as: key })
  await call("contactViews.timeline", { params: contact, query: { limit: "3" }, as: key })
  await call("contactViews.enriched", { params: tenant, body: { tier: "hot", limit: 2 }, as: key })
  const pair = { primary_contact_id: contact.contact_id, duplicate_contact_id: other.contact_id }
  const merged = await call("contactMerges.merge", { params: tenant, body: pair, as: key })
  await call("contactMerges.undo", { params: { ...tenant, merge_id: text(merged["merge_id"]) }, as: key })
  await call("contactMerges.suggestions", { params: tenant, as: key })
  await call("contactMerges.dismiss", { params: tenant, body: pair, as: key })

  const pages = rows((await call("conversations.list", { params: tenant, as: key, keep: false }))["conversations"])
  await call("conversations.list", { params: tenant, query: { alias: "hello@example.com" }, as: key })
  const drafted: Array<string> = []
  for (const { contact_id: id } of pages) {
    const { pending_draft: draft } = await call("conversations.get", {
      params: { ...tenant, contact_id: text(id) },
      as: key,
      keep: false
    })
    if (draft !== null && draft !== undefined) drafted.push(text(id))
  }
  const [approved = contact.contact_id, dismissed = contact.contact_id] = drafted
  const history = await call("conversations.get", {
    params: { ...tenant, contact_id: approved },
    query: { limit: "3" },
    as: key
  })
  const draft = Object(history["pending_draft"])
  const newest = rows(history["messages"]).at(-1) ?? {}
  await call("conversations.markRead", {
    params: { ...tenant, contact_id: approved },
    body: { message_id: text(newest["id"]) },
    as: key
  })
  await call("conversations.labelSubject", {
    params: { ...tenant, contact_id: approved },
    body: { message_id: text(newest["id"]), subject_contact_id: other.contact_id },
    as: key
  })
  await call("conversations.approveDraft", {
    params: { ...tenant, contact_id: approved },
    body: { draft_id: draft.draft_id, content_hash: draft.content_hash, head_message_id: draft.head_message_id },
    as: key
  })
  await call("conversations.dismissDraft", { params: { ...tenant, contact_id: dismissed }, body: {}, as: key })
  await call("conversations.send", {
    params: contact,
    body: { channel: "sms", body: "Hello Priya, Nina calls you at 3 pm today." },
    as: key
  })

  const leads = rows(
    (await call("leads.list", { params: tenant, query: { tier: "hot", limit: "1" }, as: key }))["leads"]
  )
  const created = await call("leads.create", {
    params: tenant,
    body: {
      contact: { name: "Tom Becker", email: "tom.becker@example.net" },
      subject: "New roof for a garage",
      source: "trade-fair",
      message: { body: "We met at the fair. I need a new roof for my garage, about 40 square metres." }
    },
    as: key
  })
  const lead = { ...tenant, lead_id: text(created["id"]) }
  await call("leads.get", { params: { ...tenant, lead_id: text(leads[0]?.["id"] ?? created["id"]) }, as: key })
  await call("leads.update", { params: lead, body: { assignee: agent }, as: key })
  await call("leads.append", {
    params: lead,
    body: { entries: [{ channel: "voice", actor: "agent", body: "Called back: visit agreed for Thursday, 9 am." }] },
    as: key
  })
  await call("leads.import", {
    params: lead,
    body: {
      entries: [
        {
          channel: "email",
          actor: "contact",
          body: "Do you also build garages?",
          timestamp: "2025-11-03T10:12:00.000Z",
          external_id: "old-crm-8812"
        }
      ]
    },
    as: key
  })
  await call("leads.score", { params: lead, as: key })
  await call("leads.listScores", { params: lead, as: key })
  await call("leads.transition", { params: lead, body: { state: "engaged", reason: "Visit agreed" }, as: key })
  await call("leads.find", { params: { lead_id: lead.lead_id }, as: key })
  await call("leads.conversation", { params: { lead_id: lead.lead_id }, as: key })
  const tasks = rows(
    (await call("tasks.list", { params: tenant, query: { sort: "-priority", limit: "2" }, as: key }))["tasks"]
  )
  await call("tasks.update", {
    params: { ...tenant, task_id: text(tasks[0]?.["id"]) },
    body: { status: "done", disposition: "Called back, visit on Thursday" },
    as: key
  })
  await call("tasks.callbacks", { query: { ...tenant, limit: "1" }, as: key })
  // The search index follows the messages with a short delay.
  await until(
    () =>
      call("search.search", {
        params: tenant,
        body: { query: "priya", limit: 2, types: ["contacts"] },
        as: key,
        keep: false
      }),
    ({ contacts }) => rows(contacts).length > 0
  )
  await until(
    () => call("search.search", { params: tenant, body: { query: "roof", limit: 2 }, as: key }),
    ({ conversations }) => rows(conversations).length > 0
  )
  await call("email.send", {
    params: tenant,
    body: {
      to: [{ email: "tom.becker@example.net", name: "Tom Becker" }],
      subject: "Your visit on Thursday",
      body: "Hello Tom,\n\nwe will be there on Thursday at 9 am."
    },
    as: key
  })

  const message = {
    message: "A storm tore off shingles and water comes through the ceiling. Can someone come today?",
    contact: { name: "Dana Whitfield", email: "dana.whitfield@example.net", phone: "+12025550112" },
    channel: "webhook",
    source: "storm-hotline"
  }
  const ran = await call("pipeline.run", { params: tenant, body: message, as: key })
  const signal = { ...tenant, signal_id: text(ran["signal_id"]) }
  await call("pipeline.dryRun", { params: tenant, body: message, as: key })
  await call("pipeline.listRuns", { params: tenant, query: { limit: "1" }, as: key })
  await call("pipeline.getRun", { params: signal, as: key })
  await call("pipeline.replayRun", { params: signal, as: key })
  await call("actions.scoreContact", { params: tenant, body: message, as: key })
  await call("backtest.run", {
    params: tenant,
    body: { config: { ...settings, tiers: { hot: 50, warm: 20 } }, examples: 1 }
  })
  const batch = await call("batches.create", {
    params: tenant,
    body: {
      items: [
        {
          message: "Please send a quote for new gutters.",
          contact: { email: "lee.moreno@example.net" },
          idempotency_key: "fair-0017"
        },
        {
          message: "Is my roof still under warranty?",
          contact: { email: "ana.duarte@example.net" },
          idempotency_key: "fair-0018"
        }
      ]
    }
  })
  const batchId = { ...tenant, batch_id: text(batch["batch_id"]) }
  await until(
    () => call("batches.get", { params: batchId }),
    ({ status }) => status === "done"
  )
  await call("batches.list", { params: tenant })
  await call("guardrails.audit", { params: tenant, query: { limit: "2" } })
  await call("guardrails.stats", { params: tenant, query: { days: "1" } })
  await call("guardrails.export", { params: tenant, query: { format: "csv" } })
  await call("events.send", {
    params: { ...tenant, source_id: "website" },
    as: text(keys.sourceKeys["website"]),
    body: {
      event_type: "quote_requested",
      entity: { id: "visitor-2210", name: "Sam Ortiz", email: "sam.ortiz@example.net" },
      content: { subject: "Quote", body: "Please quote a flat roof, 80 square metres.", channel: "webhook" },
      timestamp: "2026-03-02T18:05:00.000Z"
    }
  })
  await call("publicLeads.challenge", { params: tenant, as: undefined })
  await call("publicLeads.submit", {
    params: tenant,
    body: {
      name: "Iris Cole",
      email: "iris.cole@example.net",
      message: "Moss on the north side of the roof. What does cleaning cost?",
      consent: true,
      consent_text: "You may contact me about my enquiry.",
      submission_id: "form-5521"
    },
    as: undefined
  })

  await call("usage.get", { params: tenant })
  await call("billing.grant", { params: tenant, body: { amount: 500, reference: "contract-7", note: "Start credit" } })
  await call("billing.balance", { query: tenant })
  await call("billing.transactions", { query: tenant })
  await call("billing.activate", { query: tenant, body: { plan: "growth" } })
  await call("billing.status", { query: tenant })

  await call("calls.outbound", {
    params: tenant,
    body: { contact_id: contact.contact_id, agent_phone: "+12025550100" },
    as: key
  })
  await call("calls.list", { params: tenant, as: key })

  await until(
    () => call("webhooks.deliveries", { params: webhook, query: { limit: "1", status: "delivered" }, keep: false }),
    ({ deliveries }) => rows(deliveries).length > 0
  )
  const { deliveries } = await call("webhooks.deliveries", { params: webhook, query: { limit: "1" } })
  await call("webhooks.get", { params: webhook })
  await call("webhooks.list", { params: tenant })
  await call("webhooks.test", { params: webhook, body: { event_type: "lead.scored" } })
  await call("webhooks.redeliver", { params: { ...webhook, delivery_id: text(rows(deliveries)[0]?.["id"]) } })
  await call("webhooks.recover", { params: webhook, body: { since: new Date(Date.now() - 3_600_000).toISOString() } })
  await call("webhooks.update", { params: webhook, body: { events: ["lead.received", "lead.scored"] } })
  await call("webhooks.rotateSecret", { params: webhook })
  await call("webhooks.delete", { params: webhook })
  await call("eventFeed.stream", { params: tenant, query: { after: "0", follow: "false", types: "lead.received" } })
  await call("eventFeed.list", { params: tenant, query: { after: "0", limit: "2" } })
  await call("audit.list", { params: tenant, query: { limit: "2" } })
  await call("audit.listDeployment", { query: { limit: "2" } })
  await call("leakedKeys.check", { body: { text: `LEADLOOM_KEY=${key}`, revoke: false } })
  const mails: Array<Record<string, unknown>> = []
  for (const { contact_id: id } of pages) {
    const { messages } = await call("conversations.get", {
      params: { ...tenant, contact_id: text(id) },
      as: key,
      keep: false
    })
    mails.push(...rows(messages).filter(({ attachments }) => rows(attachments).length > 0))
  }
  const source = { ...tenant, message_id: text(mails[0]?.["id"]) }
  await call("messages.raw", { params: source })
  await call("messages.parse", { params: source })
  await call("dataRights.exportContact", { params: contact })
  await call("dataRights.exportTenant", { params: tenant })
  await call("phoneNumbers.release", { body: { phone: "+12025550199" } })
  await call("locations.remove", { params: { location_id: "Qk3vTz8LmN2pXa" } })
  await call("email.disconnect", { params: { ...tenant, grant_id: grant } })
  await call("dataRights.erase", { params: other, body: { confirm: other.contact_id } })
  await call("dataRights.listErasures", { params: tenant })

  for (const [operation, example] of Object.entries(providerExamples(recorder.examples))) {
    if (!recorder.examples.has(operation)) recorder.add(operation, example)
  }
  await call("tenants.archive", { params: tenant })
  for (const failure of failures) process.stderr.write(`${failure}\n`)
}
