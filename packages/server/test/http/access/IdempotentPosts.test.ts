import { drainJobs } from "@leadloom/testkit/suite/Scene"
import { at, textAt } from "../../world/TestServer.ts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodies, endpoints } from "../../world/Endpoints.ts"
import {
  actionsUsed,
  answered,
  archive,
  auditLength,
  base,
  call,
  callable,
  closePostWorld,
  contact,
  lengthOf,
  made,
  maxConversationMessages,
  nextNumber,
  post,
  ran,
  type Scenario,
  send,
  startPostWorld,
  stored,
  webhook,
  written
} from "../../world/PostWorld.ts"
import { ruleScenarios } from "../rule/RuleScenarios.ts"
import { importOf, mail } from "../../world/World.ts"

/** Operations that need stand-ins of providers; the named test repeats each of them. */
const elsewhere: Readonly<Record<string, string>> = {
  "email.callback": "Hosted.test.ts",
  "crm.callback": "Crm.test.ts",
  "crm.syncInstall": "Crm.test.ts",
  "agencies.callback": "Agencies.test.ts",
  "crmActions.run": "CrmActions.test.ts",
  "crmActions.runAlias": "CrmActions.test.ts",
  "billing.checkout": "Billing.test.ts",
  "billing.portal": "Billing.test.ts",
  "actions.classifyConversation": "Models.test.ts",
  "actions.generateReply": "Models.test.ts",
  "webhooks.redeliver": "Webhooks.test.ts",
  "calls.transfer": "Calls.test.ts"
}

const sequence = async (): Promise<string> => {
  const steps = ["first", "second"].map((name) => ({ name, kind: "wait", delay: { amount: 30, unit: "days" } }))
  return textAt(await made(`${base}/sequences`, { name: "Reminders", steps }), "id")
}

/** An enrolment whose next step is not due. */
const enrolled = async (): Promise<Scenario> => {
  const path = `${base}/sequences/${await sequence()}/enrolments`
  return { params: { enrolment_id: textAt(await made(path, { contact_id: await contact() }), "id") }, body: null }
}

const scenarios: Readonly<Record<string, () => Promise<Scenario>>> = {
  "tenants.create": async () => ({ effects: lengthOf("/api/v1/admin/tenants", "tenants") }),
  "tenants.restore": async () => {
    const tenantId = `restored-${nextNumber()}`
    await made("/api/v1/admin/tenants", { tenant_id: tenantId, name: "Restored" })
    await call("DELETE", `/api/v1/admin/tenants/${tenantId}`)
    return {
      params: { tenant_id: tenantId },
      other: {},
      effects: lengthOf("/api/v1/admin/tenants", "tenants")
    }
  },
  "sources.create": async () => ({ effects: lengthOf("/api/v1/admin/tenants/acme/sources", "sources") }),
  "sources.createGlobal": async () => ({ effects: lengthOf("/api/v1/admin/sources", "sources") }),
  "sessions.mint": async () => ({ body: { tenant_id: "acme" } }),
  "sessions.createTicket": async () => ({ body: { tenant_id: "acme" } }),
  "consoleSessions.renew": async () => {
    const ticket = textAt(await made("/api/v1/sessions/tickets", { tenant_id: "acme" }), "ticket")
    const token = textAt(await made("/api/v1/sessions", { ticket }), "token")
    return { headers: { authorization: `Bearer ${token}` } }
  },
  "apiKeys.create": async () => ({ effects: lengthOf(`${base}/api-keys`, "api_keys") }),
  "apiKeys.rotate": async () => ({ body: { key_id: post.world.acme.keyId } }),
  "config.scaffold": async () => ({ params: { tenant_id: "other" }, body: { preset: "legal", overwrite: true } }),
  ...ruleScenarios,
  "events.send": async () => ({
    headers: { "x-source-key": post.world.acme.sourceKey, authorization: "" },
    other: { entity: { id: "42" }, content: { body: "Something else" } },
    effects: stored
  }),
  "pipeline.run": async () => {
    const number = nextNumber()
    // A new contact, because a message of a known contact joins an existing lead.
    const contact = { email: `run.${number}@customer.example` }
    return { body: { message: "A kitchen?", contact }, other: { message: "Something else", contact }, effects: stored }
  },
  "messages.parse": async () => ({ params: { message_id: (await written()).messageId }, body: null }),
  "pipeline.dryRun": async () => ({}),
  "pipeline.replayRun": async () => ({ params: { signal_id: textAt(await ran("A kitchen?"), "signal_id") } }),
  "batches.create": async () => ({ effects: lengthOf(`${base}/pipeline/batches`, "batches") }),
  "actions.scoreContact": async () => ({ effects: actionsUsed }),
  "billing.activate": async () => ({ query: "?tenant_id=acme", other: { plan: "scale" }, effects: auditLength }),
  "billing.grant": async () => ({
    effects: lengthOf("/api/v1/billing/credits/transactions?tenant_id=acme", "transactions")
  }),
  "contacts.create": async () => ({ effects: lengthOf(`${base}/contacts`, "contacts") }),
  "contacts.restore": async () => {
    const contactId = await contact()
    await call("DELETE", `${base}/contacts/${contactId}`)
    return { params: { contact_id: contactId }, other: {} }
  },
  "contacts.resolve": async () => ({ effects: lengthOf(`${base}/contacts`, "contacts") }),
  "contactViews.enriched": async () => ({}),
  "contactIdentities.add": async () => {
    const contactId = await contact()
    return {
      params: { contact_id: contactId },
      effects: lengthOf(`${base}/contacts/${contactId}/identities`, "identities")
    }
  },
  "contactConsent.record": async () => {
    const contactId = await contact()
    const identities = await call("GET", `${base}/contacts/${contactId}/identities`)
    const body = { identity_id: textAt(identities.json, "identities", 0, "id"), status: "opted_out" }
    return { params: { contact_id: contactId }, body }
  },
  "fields.create": async () => ({ effects: lengthOf(`${base}/fields`, "fields") }),
  "companies.create": async () => ({ effects: lengthOf(`${base}/companies`, "companies") }),
  "segments.create": async () => ({ effects: lengthOf(`${base}/segments`, "segments") }),
  "contactImports.start": async () => {
    await post.server.run(drainJobs)
    return { effects: lengthOf(`${base}/imports`, "imports") }
  },
  "contactImports.undo": async () => {
    await post.server.run(drainJobs)
    const body = { csv: "Name\nAnn", mapping: { Name: "name" } }
    const importId = textAt(await made(`${base}/contacts/import`, body), "id")
    await post.server.run(drainJobs)
    return { params: { import_id: importId }, other: {} }
  },
  "contactMerges.merge": async () => ({
    body: { primary_contact_id: await contact(), duplicate_contact_id: await contact() }
  }),
  "contactMerges.undo": async () => {
    const ids = { primary_contact_id: await contact(), duplicate_contact_id: await contact() }
    return { params: { merge_id: textAt(await made(`${base}/contacts/merge`, ids), "merge_id") }, other: {} }
  },
  "contactMerges.dismiss": async () => {
    const number = nextNumber()
    const phone = `+1202555${number + 1000}`
    const email = `both.${number}@customer.example`
    const [one, two] = [await made(`${base}/contacts`, { phone }), await made(`${base}/contacts`, { email })]
    await made("/api/v1/webhook/automation/acme", { message: "Both of us", contact: { email, phone } })
    return { body: { primary_contact_id: textAt(one, "id"), duplicate_contact_id: textAt(two, "id") } }
  },
  "threads.split": async () => {
    const { answerId, threadId } = await answered()
    return { params: { thread_id: threadId }, body: { message_id: answerId } }
  },
  "threads.move": async () => {
    const [one, two] = [await answered(), await answered()]
    return {
      params: { thread_id: one.threadId },
      body: { message_id: one.answerId, to_thread_id: two.threadId }
    }
  },
  "threads.join": async () => {
    const [one, two] = [await answered(), await answered()]
    return { body: { thread_ids: [one.threadId, two.threadId] } }
  },
  "threads.undo": async () => {
    const { answerId, threadId } = await answered()
    const split = await made(`${base}/threads/${threadId}/split`, { message_id: answerId })
    return { params: { thread_id: threadId, correction_id: textAt(split, "correction_id") }, other: {} }
  },
  "conversations.send": async () => {
    const { contactId } = await written()
    return {
      params: { contact_id: contactId },
      other: { body: "Something else", channel: "email" },
      effects: () => maxConversationMessages(contactId)
    }
  },
  "inbox.bulk": async () => {
    const { contactId } = await written()
    return {
      body: { contact_ids: [contactId], change: { priority: "high" } },
      other: { contact_ids: [contactId], change: {} }
    }
  },
  "views.create": async () => ({
    body: { name: "Open", filters: { state: "open" }, shared: true },
    other: { name: "Closed", filters: { state: "closed" }, shared: true },
    effects: lengthOf(`${base}/views`, "views")
  }),
  "conversations.markRead": async () => ({ params: { contact_id: (await written()).contactId }, other: {} }),
  "conversations.approveDraft": async () => {
    const { contactId } = await written("Please draft an answer")
    return {
      params: { contact_id: contactId },
      body: null,
      other: {},
      effects: () => maxConversationMessages(contactId)
    }
  },
  "conversations.dismissDraft": async () => ({
    params: { contact_id: (await written("Please draft an answer")).contactId },
    body: null,
    other: {}
  }),
  "uploads.create": async () => ({
    query: "?filename=a.txt",
    body: "a file",
    other: "another file",
    headers: { "content-type": "application/octet-stream" }
  }),
  "drafts.create": async () => {
    const { contactId } = await written()
    return {
      params: { contact_id: contactId },
      body: { channel: "email", body: "Soon" },
      other: { channel: "email", body: "Something else" },
      effects: lengthOf(`${base}/conversations/${contactId}/drafts`, "drafts")
    }
  },
  "drafts.send": async () => {
    const { contactId } = await written()
    const drafts = `${base}/conversations/${contactId}/drafts`
    const draft_id = textAt(await made(drafts, { channel: "email", body: "Soon" }), "draft_id")
    return {
      params: { contact_id: contactId, draft_id },
      body: { version: 1 },
      other: { version: 2 },
      effects: () => maxConversationMessages(contactId)
    }
  },
  "conversations.labelSubject": async () => {
    const { contactId, messageId } = await written()
    return { params: { contact_id: contactId }, body: { message_id: messageId, subject_contact_id: await contact() } }
  },
  "notes.create": async () => {
    const contactId = await contact()
    return { params: { contact_id: contactId }, effects: lengthOf(`${base}/conversations/${contactId}/notes`, "notes") }
  },
  "cannedReplies.create": async () => ({ effects: lengthOf(`${base}/canned-replies`, "canned_replies") }),
  "cannedReplies.render": async () => {
    const reply = await made(`${base}/canned-replies`, { name: "Hello", body: "Hello {{ contact.name }}" })
    const id = textAt(reply, "id")
    return {
      params: { canned_reply_id: id },
      body: { contact_id: await contact() },
      effects: async () => Number(at((await call("GET", `${base}/canned-replies/${id}`)).json, "uses"))
    }
  },
  "sequences.create": async () => ({ effects: lengthOf(`${base}/sequences`, "sequences") }),
  "sequences.preview": async () => ({
    params: { sequence_id: await sequence() },
    body: { contact_id: await contact() },
    other: { contact_id: await contact() }
  }),
  "sequences.pause": async () => ({ params: { sequence_id: await sequence() }, body: null }),
  "sequences.resume": async () => ({ params: { sequence_id: await sequence() }, body: null }),
  "simulations.sequence": async () => ({ params: { sequence_id: await sequence() }, other: { max: 11 } }),
  "sequences.enrol": async () => ({
    params: { sequence_id: await sequence() },
    body: { contact_id: await contact() },
    other: { contact_id: await contact() },
    effects: lengthOf(`${base}/enrolments`, "enrolments")
  }),
  "enrolments.pause": enrolled,
  "enrolments.resume": enrolled,
  "enrolments.skip": enrolled,
  "enrolments.stop": enrolled,
  "tasks.create": async () => {
    const contactId = await contact()
    const task = { title: "Call", type: "callback", contact_id: contactId }
    return { body: task, effects: lengthOf(`${base}/tasks?contact_id=${contactId}`, "tasks") }
  },
  "tasks.comment": async () => {
    const task = { title: "Call", type: "callback", contact_id: await contact() }
    const id = textAt(await made(`${base}/tasks`, task), "id")
    return { params: { task_id: id }, effects: lengthOf(`${base}/tasks/${id}/comments`, "comments") }
  },
  "remoteImages.allow": async () => ({ params: { contact_id: await contact() }, other: {} }),
  "macros.create": async () => ({ effects: lengthOf(`${base}/macros`, "macros") }),
  "macros.run": async () => {
    const actions = [{ type: "create_task", task_type: "callback" }]
    const macro = await made(`${base}/macros`, { name: "Call", actions })
    const contactId = await contact()
    return {
      params: { macro_id: textAt(macro, "id") },
      body: { contact_id: contactId },
      effects: lengthOf(`${base}/tasks?contact_id=${contactId}`, "tasks")
    }
  },
  "backtest.run": async () => ({}),
  "leads.create": async () => ({ effects: stored }),
  "leads.append": async () => ({ params: { lead_id: (await written()).leadId } }),
  "leads.score": async () => ({ params: { lead_id: (await written()).leadId }, other: {} }),
  "leads.transition": async () => ({ params: { lead_id: (await written()).leadId } }),
  "leads.move": async () => ({ params: { lead_id: (await written()).leadId }, other: { stage_id: "stg_archived" } }),
  "pipelines.create": async () => ({
    effects: lengthOf(`${base}/pipelines`, "pipelines"),
    other: { name: "Partners" }
  }),
  "users.create": async () => ({ effects: lengthOf(`${base}/users`, "users") }),
  "teams.create": async () => ({ effects: lengthOf(`${base}/teams`, "teams") }),
  "search.search": async () => ({}),
  "email.send": async () => ({
    body: { to: [{ email: `fresh.${nextNumber()}@customer.example` }], body: "Hello" },
    other: { to: [{ email: "jane@customer.example" }], body: "Something else" },
    effects: async () => post.sink.mails.length
  }),
  "email.connect": async () => ({
    params: { tenant_id: "other" },
    body: { provider: "smtp", email: "sales@other.com" },
    effects: lengthOf("/api/v1/tenants/other/email/grants", "grants")
  }),
  "import.email": async () => {
    const from = `imported.${nextNumber()}@customer.example`
    return { body: importOf(mail({ From: from, "Message-ID": `<${from}>` }, "Hello")), effects: stored }
  },
  "dataRights.erase": async () => {
    const contactId = await contact()
    return { params: { contact_id: contactId }, body: { confirm: contactId } }
  },
  "dataRights.importArchive": async () => ({
    params: { tenant_id: "clinic" },
    body: await archive("acme"),
    other: await archive("other"),
    headers: { "content-type": "application/x-tar" }
  }),
  "webhooks.create": async () => ({ effects: lengthOf(`${base}/webhooks`, "webhooks") }),
  "webhooks.test": async () => ({ params: { webhook_id: await webhook() } }),
  "webhooks.rotateSecret": async () => ({ params: { webhook_id: await webhook() }, other: {} }),
  "eventFeed.createTicket": async () => ({ body: null }),
  "webhooks.recover": async () => ({ params: { webhook_id: await webhook() } }),
  "leakedKeys.check": async () => ({}),
  "publicLeads.submit": async () => ({
    headers: { authorization: "" },
    other: { name: "Jane Miller", email: "jane@customer.example", message: "Something else" },
    effects: stored
  }),
  "smsFilters.block": async () => ({ effects: lengthOf(`${base}/sms-filters/blocklist`, "blocklist") }),
  "calls.outbound": async () => ({
    body: { contact_id: await callable(), agent_phone: "+15550100002" },
    other: { phone: "+15550100009", agent_phone: "+15550100002" },
    effects: async () => post.twilio.requests.length
  })
}

beforeAll(startPostWorld)
afterAll(closePostWorld)

const posts = endpoints.filter(({ method }) => method === "POST")

describe("every POST of the contract", () => {
  it("has either a scenario here or a test elsewhere", () => {
    const known = [...Object.keys(scenarios), ...Object.keys(elsewhere)]
    expect(known.toSorted()).toEqual(posts.map(({ name }) => name).toSorted())
  })

  it.each(posts.filter(({ name }) => name in scenarios).map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s runs once per Idempotency-Key, and rejects another body with that key",
    async (name, endpoint) => {
      const key = `key of ${name}`
      const scenario = (await scenarios[name]?.()) ?? {}
      const body = scenario.body === undefined ? (bodies[name] ?? null) : scenario.body
      const before = await scenario.effects?.()
      const pair = await Promise.all([1, 2].map(() => send(endpoint, scenario, key, body)))
      const first = pair.filter(({ headers, status }) => status < 300 && headers.get("idempotent-replayed") === null)
      if (first.length !== 1) throw new Error(pair.map(({ text }) => text).join("\n"))
      for (const answer of pair) {
        if (answer === first[0]) continue
        const isReplay = answer.headers.get("idempotent-replayed") === "true" && answer.text === first[0]?.text
        expect([answer.code, isReplay]).toEqual(isReplay ? [null, true] : ["IDEMPOTENCY_IN_PROGRESS", false])
      }
      const after = await scenario.effects?.()
      const again = await send(endpoint, scenario, key, body)
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([first[0]?.status, "true"])
      expect(again.text).toBe(first[0]?.text)
      const other = scenario.other ?? { ...Object(body), other: true }
      const conflict = await send(endpoint, scenario, key, other)
      expect([conflict.status, conflict.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"])
      expect(await scenario.effects?.()).toBe(after)
      if (before !== undefined) expect(after).toBe(before + 1)
      expect((await send(endpoint, scenario, "k".repeat(256), body)).code ?? "BAD_REQUEST").toBe("BAD_REQUEST")
    }
  )
})
