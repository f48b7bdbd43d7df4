import { check, receive, type Step, tomorrow } from "../Day.ts"

/** Sends an answer with an attachment, and schedules and cancels another one. */
export const sendLetters: Step = async (day) => {
  const { client } = day.eva
  const { tenant } = day
  const mail = {
    id: "nora-1",
    from: "Nora <nora@customer.example>",
    subject: "Insulation",
    body: "Send me a brochure."
  }
  const { contact } = await receive(day, mail)

  const brochure = new TextEncoder().encode("Insulation of roofs")
  const upload = await client.uploads.create(tenant, brochure, { filename: "brochure.txt", contentType: "text/plain" })
  check(upload.size, brochure.length, "the upload is complete")
  const sent = await client.conversations.send(tenant, contact, {
    channel: "email",
    body: "<p>Here is our <b>brochure</b>.</p>",
    cc: [{ email: "family@customer.example" }],
    attachments: [{ upload_id: upload.upload_id }]
  })
  const { attachments, parts } = await client.messages.get(tenant, sent.message_id)
  check(
    attachments.map(({ filename, size }) => [filename, size]),
    [["brochure.txt", brochure.length]],
    "the attachment"
  )
  check(parts.text?.includes("Here is our brochure."), true, "the text part is derived from the HTML")

  const later = {
    channel: "email",
    body: "Do you have questions?",
    send_at: tomorrow(),
    cancel_on_reply: true
  } as const
  const scheduled = await client.conversations.send(tenant, contact, later)
  const waiting = await client.scheduled.list(tenant, { contactId: contact })
  check(
    waiting.scheduled.map(({ message_id }) => message_id),
    [scheduled.message_id],
    "one message waits"
  )
  check((await client.scheduled.cancel(tenant, scheduled.message_id)).state, "canceled", "it is cancelled")
  check((await client.scheduled.list(tenant, { contactId: contact })).scheduled, [], "no message waits")
  return ["letters: an attachment is sent, a scheduled message is cancelled"]
}
