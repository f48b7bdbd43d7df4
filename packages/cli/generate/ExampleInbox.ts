import { type Demo, rows, tenant, text } from "./ExampleDemo.ts"

/** Sorts the inbox, saves a view and writes notes. */
export const inbox = async ({ call, contact, key, other }: Demo): Promise<void> => {
  const users = await call("users.list", { params: tenant, query: { active: "true" }, as: key, keep: false })
  const ann = text(rows(users["users"])[0]?.["id"])
  await call("inbox.update", {
    params: contact,
    body: { assignee_id: ann, priority: "high", tags: ["storm"], unread: true },
    as: key
  })
  await call("inbox.row", { params: contact, as: key })
  const contact_ids = [contact.contact_id, other.contact_id]
  await call("inbox.bulk", { params: tenant, body: { contact_ids, change: { tags: ["storm", "roof"] } }, as: key })
  await call("inbox.counts", { params: tenant, as: key })
  const session = await call("sessions.mint", { body: { ...tenant, user_id: ann }, keep: false })
  await call("inbox.reportPresence", { params: contact, body: { state: "typing" }, as: text(session["token"]) })
  await call("inbox.presence", { params: contact, as: key })
  const view = await call("views.create", {
    params: tenant,
    body: { name: "Storm damage", filters: { state: "open", tags: ["storm"] }, shared: true }
  })
  const storm = { ...tenant, view_id: text(view["id"]) }
  const filters = { state: "open", tags: ["storm"], sort: "waiting_since" }
  await call("views.update", { params: storm, body: { filters } })
  await call("views.get", { params: storm, as: key })
  await call("views.list", { params: tenant, as: key })
  await call("views.remove", { params: storm })
  const note = await call("notes.create", {
    params: contact,
    body: { body: `<@${ann}> please call before 4 pm.` },
    as: key
  })
  const written = { ...contact, note_id: text(note["id"]) }
  await call("notes.update", {
    params: written,
    body: { body: `<@${ann}> please call about the roof before 3 pm.` },
    as: key
  })
  await call("notes.list", { params: contact, query: { limit: "2" }, as: key })
  await call("search.search", {
    params: { tenant_id: text(contact["tenant_id"]) },
    body: { query: "roof", limit: 2 },
    as: key
  })
  await call("notes.delete", { params: written, as: key })
}

/** Saves a sequence, and enrols a contact in it. */
const sequences = async ({ call, contact, key }: Pick<Demo, "call" | "contact" | "key">): Promise<void> => {
  const { contact_id } = contact
  const window = [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }]
  const body = "Hello {{contact.first_name}}, do you have questions about our quote?"
  const saved = await call("sequences.create", {
    params: tenant,
    body: {
      name: "After a quote",
      steps: [
        { name: "reminder", kind: "send", channel: "email", delay: { amount: 2, unit: "days" }, window, body },
        { name: "call", kind: "task", delay: { amount: 3, unit: "days" }, title: "Call about the quote" }
      ],
      stop_on: ["lead_closed"]
    }
  })
  const sequence = { ...tenant, sequence_id: text(saved["id"]) }
  await call("sequences.get", { params: sequence, as: key })
  await call("sequences.list", { params: tenant, as: key })
  await call("sequences.statistics", { params: sequence, as: key })
  await call("sequences.results", { params: sequence, as: key })
  await call("sequences.preview", { params: sequence, body: { contact_id }, as: key })
  await call("sequences.pause", { params: sequence })
  await call("sequences.resume", { params: sequence })
  const enrolled = await call("sequences.enrol", { params: sequence, body: { contact_id }, as: key })
  await call("simulations.sequence", { params: sequence, body: { stop_on: [], limit: 1 } })
  const rule = {
    id: "new_lead",
    name: "Call new leads",
    priority: 950,
    trigger: { type: "lead_state_changed", to: "open" },
    when: { all: [] },
    actions: [{ type: "create_task", task_type: "callback", title: "Call {{ contact.first_name }}" }]
  }
  await call("simulations.rule", { params: tenant, body: { rule, max: 1, limit: 1 } })
  await call("sequences.update", { params: sequence, body: { name: "After every quote" } })
  const enrolment = { ...tenant, enrolment_id: text(enrolled["id"]) }
  await call("enrolments.get", { params: enrolment, as: key })
  await call("enrolments.list", { params: tenant, query: { state: "active" }, as: key })
  await call("enrolments.pause", { params: enrolment, as: key })
  await call("enrolments.resume", { params: enrolment, as: key })
  await call("enrolments.skip", { params: enrolment, as: key })
  await call("enrolments.stop", { params: enrolment, as: key })
  await call("sequences.delete", { params: sequence })
}

/** Uses canned replies and macros, and works on a task. */
export const help = async ({ call, contact, key }: Demo): Promise<void> => {
  const { contact_id } = contact
  const reply = await call("cannedReplies.create", {
    params: tenant,
    body: {
      name: "Visit this week",
      body: "Hello {{contact.first_name}}, we can visit you this week.",
      folder: "Visits",
      subject: "Your visit",
      shortcut: "visit",
      channels: ["email", "sms"]
    }
  })
  const visit = { ...tenant, canned_reply_id: text(reply["id"]) }
  await call("cannedReplies.update", { params: visit, body: { folder: "Appointments" } })
  await call("cannedReplies.get", { params: visit, as: key })
  await call("cannedReplies.list", { params: tenant, query: { q: "visit" }, as: key })
  await call("cannedReplies.render", { params: visit, body: { contact_id }, as: key })
  await call("cannedReplies.delete", { params: visit })
  await sequences({ call, contact, key })
  const macro = await call("macros.create", {
    params: tenant,
    body: {
      name: "Storm damage",
      actions: [
        { type: "tag", tag: "storm" },
        { type: "create_task", task_type: "callback", title: "Call about the storm damage", due_in_minutes: 60 }
      ]
    }
  })
  const storm = { ...tenant, macro_id: text(macro["id"]) }
  await call("macros.update", { params: storm, body: { name: "Storm damage: call back" } })
  await call("macros.get", { params: storm, as: key })
  await call("macros.list", { params: tenant, as: key })
  await call("macros.run", { params: storm, body: { contact_id }, as: key })
  await call("macros.delete", { params: storm })
  const day = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10)
  const task = await call("tasks.create", {
    params: tenant,
    body: {
      title: "Check the roof after the repair",
      type: "follow_up",
      contact_id,
      priority: "high",
      due_at: `${day}T14:00:00.000Z`
    },
    as: key
  })
  const check = { ...tenant, task_id: text(task["id"]) }
  await call("tasks.get", { params: check, as: key })
  await call("tasks.comment", { params: check, body: { body: "Take photographs of the chimney." }, as: key })
  await call("tasks.listComments", { params: check, as: key })
}

/** Corrects email threads, and shows the remote images of a mail. */
export const mail = async ({ call, key }: Demo): Promise<void> => {
  const found = await call("contacts.list", { params: tenant, query: { limit: "100" }, as: key, keep: false })
  const ruth = rows(found["contacts"]).find(({ email }) => email === "ruth.alvarez@example.net")
  const contact = { ...tenant, contact_id: text(ruth?.["id"]) }
  const { messages } = await call("conversations.get", { params: contact, as: key, keep: false })
  const answer = rows(messages).at(-2) ?? {}
  const message_id = text(answer["id"])
  const thread_id = text(answer["thread_id"])
  const thread = { ...tenant, thread_id }
  const split = await call("threads.split", { params: thread, body: { message_id }, as: key })
  const begun = { ...tenant, thread_id: text(split["thread_id"]) }
  await call("threads.undo", { params: { ...begun, correction_id: text(split["correction_id"]) }, as: key })
  const again = await call("threads.split", { params: thread, body: { message_id }, as: key, keep: false })
  const newer = { ...tenant, thread_id: text(again["thread_id"]) }
  const moved = await call("threads.move", { params: newer, body: { message_id, to_thread_id: thread_id }, as: key })
  const correction_id = text(moved["correction_id"])
  await call("threads.undo", { params: { ...thread, correction_id }, as: key, keep: false })
  const thread_ids = [thread_id, newer.thread_id]
  await call("threads.join", { params: tenant, body: { thread_ids }, as: key })
  await call("threads.get", { params: thread, query: { limit: "2" }, as: key })
  await call("threads.corrections", { params: thread, query: { limit: "2" }, as: key })
  await call("remoteImages.allow", { params: contact, as: key })
  await call("remoteImages.list", { params: { ...tenant, message_id }, as: key })
  await call("remoteImages.disallow", { params: contact, as: key })
}
