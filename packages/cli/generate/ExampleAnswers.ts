import { type Demo, rows, tenant, text } from "./ExampleDemo.ts"

/** Uploads a file, prepares a draft together, and sends messages later. */
export const answers = async (demo: Demo): Promise<void> => {
  const { call, contact, key } = demo
  const query = { filename: "offer.pdf", content_type: "application/pdf" }
  const { upload_id } = await call("uploads.create", { params: tenant, query, file: "%PDF-1.7", as: key })
  const offer = { upload_id: text(upload_id) }
  const draft = await call("drafts.create", {
    params: contact,
    body: {
      channel: "email",
      subject: "Your offer",
      body: "<p>Hello Priya,</p><p>here is our offer.</p>",
      to: [{ email: "priya.nair@example.net", name: "Priya Nair" }],
      cc: [{ email: "office@example.net" }],
      attachments: [offer]
    },
    as: key
  })
  const place = { ...contact, draft_id: text(draft["draft_id"]) }
  await call("drafts.list", { params: contact, as: key })
  await call("drafts.get", { params: place, as: key })
  await call("drafts.update", {
    params: place,
    body: { version: 1, body: "<p>Hello Priya,</p><p>here is our offer for the roof.</p>" },
    as: key
  })
  const sent = await call("drafts.send", { params: place, body: { version: 2 }, as: key })
  await call("messages.get", { params: { ...tenant, message_id: text(sent["message_id"]) }, as: key })
  const spare = await call("drafts.create", {
    params: contact,
    body: { channel: "sms", body: "To be continued" },
    as: key,
    keep: false
  })
  await call("drafts.remove", { params: { ...contact, draft_id: text(spare["draft_id"]) }, as: key })
  await later(demo)
}

/** Sends a message later, changes it and cancels it. */
const later = async ({ call, contact, key }: Demo): Promise<void> => {
  const day = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10)
  const { message_id } = await call("conversations.send", {
    params: contact,
    body: {
      channel: "email",
      subject: "Have you decided?",
      body: "Hello Priya, do you have questions about our offer?",
      send_at: `${day}T09:30:00`,
      time_zone: "tenant",
      cancel_on_reply: true
    },
    as: key,
    keep: false
  })
  const scheduled = { ...tenant, message_id: text(message_id) }
  const listed = await call("scheduled.list", { params: tenant, query: { limit: "2" }, as: key })
  if (rows(listed["scheduled"]).length === 0) throw new Error("No message is scheduled.")
  await call("scheduled.get", { params: scheduled, as: key })
  await call("scheduled.update", {
    params: scheduled,
    body: { version: 1, send_at: `${day}T14:00:00`, time_zone: "contact" },
    as: key
  })
  await call("conversations.get", { params: contact, query: { limit: "3" }, as: key, keep: false })
  await call("scheduled.cancel", { params: scheduled, as: key })
}
