import { type Demo, rows, tenant, text, until } from "./ExampleDemo.ts"

const agent = "nina@example.com"

/** Reads and changes contacts. */
export const people = async (demo: Demo): Promise<void> => {
  const { call, key } = demo
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
  Object.assign(demo, { contact })
}

/** Creates, merges and shows contacts. */
export const merges = async (demo: Demo): Promise<void> => {
  const { call, contact, key } = demo
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
  Object.assign(demo, { other })
}

/** Reads conversations and answers them. */
export const threads = async (demo: Demo): Promise<void> => {
  const { call, contact, key, other } = demo
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
  Object.assign(demo, { pages })
}

/** Creates and develops a lead. */
export const leads = async (demo: Demo): Promise<void> => {
  const { call, key } = demo
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
  await call("leads.update", {
    params: lead,
    body: { assignee: agent, value: 1_250_000, currency: "USD", expected_close_on: "2026-12-18", tags: ["roof"] },
    as: key
  })
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
  const pipelines = rows((await call("pipelines.list", { params: tenant, as: key }))["pipelines"])
  const { stages } = pipelines[0] ?? {}
  const named = { name: "Roofs", stages: [{ name: "Visit agreed", state: "engaged" }, ...rows(stages).slice(1)] }
  const pipeline = { ...tenant, pipeline_id: text(pipelines[0]?.["pipeline_id"]) }
  await call("pipelines.update", { params: pipeline, body: named })
  const visits = rows((await call("pipelines.get", { params: pipeline, as: key }))["stages"])[0]
  await call("leads.move", { params: lead, body: { stage_id: text(visits?.["stage_id"]) }, as: key })
  await call("pipelines.board", { params: pipeline, as: key })
  const renewals = { name: "Renewals", stages: [{ name: "Due", state: "open" }] }
  const renewed = await call("pipelines.create", { params: tenant, body: renewals })
  await call("pipelines.delete", { params: { ...tenant, pipeline_id: text(renewed["pipeline_id"]) } })
  await call("leads.find", { params: { lead_id: lead.lead_id }, as: key })
  await call("leads.conversation", { params: { lead_id: lead.lead_id }, as: key })
}

/** Completes tasks, searches and sends an email. */
export const work = async (demo: Demo): Promise<void> => {
  const { call, key } = demo
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
}
