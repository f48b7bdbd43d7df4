import { type Demo, rows, tenant, text, until } from "./ExampleDemo.ts"

/** Runs the pipeline on a message. */
export const runs = async (demo: Demo): Promise<void> => {
  const { call, key, settings } = demo
  const message = {
    message: "A storm tore off shingles and water comes through the ceiling. Can someone come today?",
    contact: { name: "Dana Whitfield", email: "dana.whitfield@example.net", phone: "+12025550112" },
    channel: "webhook",
    source: "storm-hotline"
  }
  const ran = await call("pipeline.run", { params: tenant, body: message, as: key })
  const signal = { ...tenant, signal_id: text(ran["signal_id"]) }
  const classification = {
    intent: "support",
    urgency: "high",
    sentiment: "negative",
    summary: "Water comes through the ceiling after a storm.",
    confidence: 0.9
  }
  await call("pipeline.dryRun", { params: tenant, body: { ...message, classification }, as: key })
  await call("pipeline.listRuns", { params: tenant, query: { limit: "1" }, as: key })
  await call("pipeline.listTriggerRuns", { params: tenant, query: { limit: "1" }, as: key })
  await call("pipeline.startRule", {
    params: { ...tenant, rule_id: "book_visit" },
    body: { contact_id: demo.contact.contact_id },
    as: key
  })
  await call("pipeline.getRun", { params: signal, as: key })
  await call("pipeline.replayRun", { params: signal, as: key })
  await call("actions.scoreContact", { params: tenant, body: message, as: key })
  await call("backtest.run", {
    params: tenant,
    body: { config: { ...settings, tiers: { hot: 50, warm: 20 } }, examples: 1 }
  })
}

/** Tests and submits many messages, and reads guardrail results. */
export const batches = async (demo: Demo): Promise<void> => {
  const { call, keys } = demo
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
}

/** Receives messages from a form and manages billing and calls. */
export const senders = async (demo: Demo): Promise<void> => {
  const { call, contact, key } = demo
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
}

/** Reads and repeats webhook deliveries. */
export const deliveries = async (demo: Demo): Promise<void> => {
  const { call, webhook } = demo
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
}

/** Reads the event feed and the audit trail. */
export const records = async (demo: Demo): Promise<void> => {
  const { call, key } = demo
  await call("eventFeed.stream", { params: tenant, query: { after: "0", follow: "false", types: "lead.received" } })
  await call("eventFeed.createTicket", { params: tenant, as: key })
  await call("eventFeed.list", { params: tenant, query: { after: "0", limit: "2" } })
  await call("audit.list", { params: tenant, query: { limit: "2" } })
  await call("audit.listDeployment", { query: { limit: "2" } })
  await call("deployment.queues")
  await call("deployment.providers")
  await call("leakedKeys.check", { body: { text: `LEADLOOM_KEY=${key}`, revoke: false } })
}

/** Exports, erases and disconnects. */
export const endings = async (demo: Demo): Promise<void> => {
  const { call, contact, grant, key, other, pages } = demo
  const mails: Array<Record<string, unknown>> = []
  for (const { contact_id: id } of pages) {
    const { messages } = await call("conversations.get", {
      params: { ...tenant, contact_id: text(id) },
      as: key,
      keep: false
    })
    mails.push(
      ...rows(messages).filter(({ actor, attachments }) => actor === "contact" && rows(attachments).length > 0)
    )
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
}
