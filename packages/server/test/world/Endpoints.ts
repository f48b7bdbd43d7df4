import { Api } from "@leadloom/api/internal/Api"
import { Gate, type GateDeclaration } from "@leadloom/api/internal/Access"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { importOf, mail } from "./World.ts"

/** An endpoint of the contract. */
export interface Endpoint {
  /** For example `contacts.list`. */
  readonly name: string
  readonly method: string
  /** With parameters such as `:tenant_id`. */
  readonly path: string
  readonly gate: GateDeclaration
}

const collect = (): ReadonlyArray<Endpoint> => {
  const found: Array<Endpoint> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const gate = Context.getOrUndefined(endpoint.annotations, Gate)
      if (gate === undefined) throw new Error(`${endpoint.path} has no gate`)
      const { method, path } = endpoint
      found.push({ name: `${group.identifier}.${endpoint.identifier}`, method, path, gate })
    }
  })
  return found
}

/** Every endpoint of the contract, in order. */
export const endpoints: ReadonlyArray<Endpoint> = collect()

const pipelineRequest = { message: "What does a new kitchen cost?", contact: { email: "jane@customer.example" } }

/** A valid configuration. */
export const someConfig = {
  time_zone: "Europe/Berlin",
  default_country: "DE",
  classifier: "keywords",
  reply_mode: "draft",
  reply_wait_seconds: 0,
  takeover_hours: 24,
  max_sequence_messages_per_day: 1,
  assistant: { instructions: "", knowledge: "", link_hosts: [] },
  public_form: {
    enabled: true,
    allowed_origins: ["https://www.acme.com"],
    honeypot: "contact_by_fax",
    thank_you_url: null,
    fields: [],
    verification: "none"
  },
  session_origins: ["https://app.acme.com"],
  link_tracking: false,
  holidays: ["2026-04-03", "12-25"],
  voice: {
    forward_to: "+4930123456",
    greeting: "Hello",
    record: true,
    missed_call_task: false,
    callback_hours: { from: "08:30", to: "17:00", days: ["mon", "sat"] }
  },
  guardrails: [],
  tiers: { hot: 70, warm: 40 },
  score_weights: {},
  deals: { engage_on_answer: false, loss_reasons: [], require_loss_reason: false },
  trusted_mail_servers: [],
  trusted_arc_sealers: [],
  rules: []
}

/** A valid body for every endpoint with a body. */
export const bodies: Readonly<Record<string, unknown>> = {
  "tenants.create": { tenant_id: "fresh", name: "Fresh" },
  "tenants.update": { name: "Acme" },
  "sources.create": { source_id: "fresh" },
  "sources.createGlobal": { source_id: "fresh" },
  "locations.put": { location_id: "loc_of_acme", tenant_id: "acme", sessions: "off" },
  "agencies.callback": { code: "a code", state: "a state" },
  "crm.callback": { code: "a code", state: "a state" },
  "crm.updateInstall": { sync: "off" },
  "crmActions.run": { data: { tag: "vip" }, extras: { locationId: "loc_of_nothing", contactId: "con_of_crm" } },
  "crmActions.runAlias": { data: { tag: "vip" }, extras: { locationId: "loc_of_nothing", contactId: "con_of_crm" } },
  "sessions.mint": { tenant_id: "acme" },
  "sessions.createTicket": { tenant_id: "acme" },
  "leakedKeys.check": { text: "llk_" },
  "apiKeys.create": { name: "another" },
  "apiKeys.rotate": { key_id: "key_00000000000000000000000000" },
  "config.replace": someConfig,
  "config.update": { reply_mode: "off", assistant: { knowledge: "We open at 8." } },
  "config.scaffold": { preset: "legal", overwrite: true },
  "rules.create": {
    id: "quotes",
    name: "Quotes",
    priority: 10,
    when: { fact: "message.text", op: "contains", value: "quote" },
    actions: [{ type: "tag", tag: "quote" }]
  },
  "rules.update": { name: "Quotes" },
  "rules.reorder": { rule_ids: [] },
  "rules.test": { rule_id: "quotes", message: "A quote?" },
  "guardrails.update": { upsert: [{ id: "links", kind: "no_links", outcome: "block" }], remove: [], enable: ["links"] },
  "events.send": { entity: { id: "42", email: "jane@customer.example" }, content: { body: "Hello" } },
  "backtest.run": { rules: [] },
  "pipeline.run": pipelineRequest,
  "pipeline.dryRun": pipelineRequest,
  "batches.create": { items: [pipelineRequest] },
  "billing.activate": { plan: "growth" },
  "billing.checkout": { plan: "growth" },
  "billing.grant": { amount: 5, reference: "a contract" },
  "usage.set": { actions: { cap: 1_000 } },
  "actions.scoreContact": pipelineRequest,
  "actions.classifyConversation": pipelineRequest,
  "actions.generateReply": pipelineRequest,
  "contacts.create": { name: "Somebody" },
  "contacts.update": { name: "Somebody else", tags: ["vip"], attributes: { size: 4, due: null } },
  "contacts.resolve": { email: "nobody@customer.example", create: true },
  "contactViews.enriched": { tier: "hot", tag: "vip", has_email: true, last_activity_after: "2026-03-01T00:00:00Z" },
  "contactIdentities.add": { kind: "email", value: "another@customer.example", label: "work" },
  "contactIdentities.update": { label: "work" },
  "contactConsent.record": { identity_id: "idn_of_nothing", status: "opted_in", proof: "A signed form" },
  "fields.create": { key: "budget", label: "Budget", type: "number" },
  "fields.update": { label: "Budget in EUR" },
  "companies.create": { name: "Acme Roofs" },
  "companies.update": { name: "Acme Roofs and Walls" },
  "segments.create": { name: "Hot leads", filters: { tier: "hot" } },
  "segments.update": { name: "Hottest leads" },
  "contactImports.start": { csv: "Email\njane@customer.example", mapping: { Email: "email" }, dry_run: true },
  "contactMerges.merge": { primary_contact_id: "con_one", duplicate_contact_id: "con_two" },
  "contactMerges.dismiss": { primary_contact_id: "con_one", duplicate_contact_id: "con_two" },
  "threads.split": { message_id: "msg_of_nothing" },
  "threads.move": { message_id: "msg_of_nothing", to_thread_id: "thr_of_nothing" },
  "threads.join": { thread_ids: ["thr_of_nothing", "thr_of_another"] },
  "conversations.send": { body: "Hello", channel: "email" },
  "leads.create": { contact: { email: "jane@customer.example" } },
  "leads.update": { assignee: "kim" },
  "leads.append": { entries: [{ channel: "sms", body: "Hello", actor: "contact" }] },
  "leads.import": {
    entries: [{ channel: "sms", body: "Hello", actor: "contact", timestamp: "2026-01-02T03:04:05Z", external_id: "1" }]
  },
  "leads.transition": { state: "engaged" },
  "leads.move": { stage_id: "stg_engaged" },
  "pipelines.create": { name: "Renewals" },
  "pipelines.update": { name: "Renewals" },
  "users.create": { name: "Ann", email: "ann@business.example" },
  "users.updateMe": { signature: "Ann" },
  "users.update": { role: "manager" },
  "teams.create": { name: "Sales" },
  "teams.update": { name: "Field sales" },
  "tasks.create": { title: "Call", type: "callback", contact_id: "con_of_nothing" },
  "tasks.comment": { body: "Nobody answers." },
  "tasks.update": { status: "done" },
  "inbox.update": { state: "closed", tags: ["vip"] },
  "inbox.bulk": { contact_ids: ["con_one"], change: { state: "closed" } },
  "views.create": { name: "Open", filters: { state: "open" } },
  "views.update": { name: "Closed" },
  "conversations.approveDraft": {
    draft_id: "draft_of_nothing",
    content_hash: "0",
    head_message_id: "1",
    body: "Hello"
  },
  "conversations.dismissDraft": { draft_id: "draft_of_nothing" },
  "conversations.labelSubject": { message_id: "msg_of_nothing", subject_contact_id: null },
  "notes.create": { body: "Prefers calls." },
  "notes.update": { body: "Prefers texts." },
  "cannedReplies.create": { name: "Hello", body: "Hello {{ contact.first_name }}" },
  "cannedReplies.update": { folder: "Sales" },
  "cannedReplies.render": { contact_id: "con_of_nothing" },
  "sequences.create": {
    name: "Reminders",
    steps: [{ name: "first", kind: "wait", delay: { amount: 1, unit: "days" } }]
  },
  "sequences.update": { name: "Quotes" },
  "sequences.preview": { contact_id: "con_of_nothing" },
  "sequences.enrol": { contact_id: "con_of_nothing" },
  "simulations.sequence": { max: 10 },
  "simulations.rule": { rule_id: "quotes" },
  "macros.create": { name: "Visit", actions: [{ type: "tag", tag: "visit" }] },
  "macros.update": { name: "A visit" },
  "macros.run": { contact_id: "con_of_nothing" },
  "pipeline.startRule": { contact_id: "con_of_nothing" },
  "search.search": { query: "kitchen" },
  "email.send": { to: [{ email: "jane@customer.example" }], body: "Hello" },
  "email.updateAliases": { aliases: [] },
  "email.updateSignature": { signature: "Acme" },
  "email.setDefaultGrant": { grant_id: "grant_of_nothing" },
  "email.connect": { provider: "smtp", email: "sales@acme.com" },
  "email.callback": { code: "a code", state: "a state" },
  "dataRights.erase": { confirm: "contact_id_of_nothing" },
  "webhooks.create": { url: "https://receiver.example/hooks", events: ["lead.received"] },
  "webhooks.update": { description: "Somebody's" },
  "webhooks.test": { event_type: "lead.received" },
  "webhooks.recover": { since: new Date().toISOString() },
  "publicLeads.submit": {
    name: "Jane Miller",
    email: "jane@customer.example",
    phone: "+1 202 555 0123",
    message: "What does a new kitchen cost?",
    consent: true,
    consent_text: "You may call me.",
    submission_id: "one",
    budget: ["small", 3]
  },
  "smsFilters.block": { phone: "+15550100001" },
  "smsFilters.unblock": { phone: "+15550100001" },
  "phoneNumbers.assign": { phone: "+15550100001", tenant_id: "acme" },
  "phoneNumbers.release": { phone: "+15550100001" },
  "calls.outbound": { phone: "+15550100001", agent_phone: "+15550100002" },
  "calls.transfer": { to: "+15550100003" },
  "assistant.setRetellKey": { api_key: "key_of_nothing" },
  "import.email": importOf(mail({}, "Hello"))
}

/** Queries without which a response would not end. */
const queries: Readonly<Record<string, string>> = { "eventFeed.stream": "?follow=false" }

/** Returns the path of an endpoint with its parameters; ids that are not given do not exist. */
export const pathOf = (endpoint: Endpoint, params: Readonly<Record<string, string>> = {}): string =>
  endpoint.path.replace(/:(\w+)/gu, (_, name: string) => params[name] ?? `${name}_of_nothing`) +
  (queries[endpoint.name] ?? "")
