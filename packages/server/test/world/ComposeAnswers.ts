import { expect } from "vitest"
import { type Answer, at, type Call, textAt } from "./TestServer.ts"

type Use = (name: string, call?: Call & { readonly query?: string }) => Promise<Answer>

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-z]{26}$`, "u"))

/** Returns the row of the conversation list after the import of a mail by Kim Lee. */
export const rowOfImport = (contact_id: string | undefined) => ({
  contact_id,
  contact_name: "Kim Lee",
  contact_email: "kim@customer.example",
  last_message: "I need a quote.",
  last_channel: "email",
  last_timestamp: "2026-03-01T09:30:00.000Z",
  lead_id: id("lead"),
  lead_state: "open",
  score_tier: null,
  unread: 1,
  state: "open",
  priority: "normal",
  assignee_id: null,
  team_id: null,
  tags: [],
  snooze_until: null,
  waiting_since: "2026-03-01T09:30:00.000Z"
})

/** Prepares, schedules and sends messages to the contact `found.contact_id`. */
export const composeAnswers = async (use: Use, found: Record<string, string>): Promise<void> => {
  const file = await use("uploads.create", {
    query: "?filename=a.txt",
    body: "hello",
    headers: { "content-type": "application/octet-stream" }
  })
  expect([file.status, file.json]).toEqual([
    201,
    {
      upload_id: id("upl"),
      filename: "a.txt",
      content_type: "application/octet-stream",
      size: 5,
      expires_at: time
    }
  ])
  const attachments = [{ upload_id: textAt(file.json, "upload_id") }]
  const draft = await use("drafts.create", { body: { channel: "email", body: "Soon", attachments } })
  found["draft_id"] = textAt(draft.json, "draft_id")
  expect((await use("drafts.list")).json).toEqual({ drafts: [draft.json] })
  expect((await use("drafts.get")).headers.get("etag")).toBe('"1"')
  expect((await use("drafts.update", { body: { version: 1, body: "Now" } })).status).toBe(200)
  const sent = await use("drafts.send", { body: { version: 2 } })
  expect([sent.status, sent.json]).toEqual([200, { message_id: id("msg") }])
  found["draft_id"] = textAt((await use("drafts.create", { body: { channel: "sms", body: "" } })).json, "draft_id")
  expect((await use("drafts.remove")).status).toBe(204)
  const send_at = new Date(Date.now() + 48 * 3_600_000).toISOString()
  const later = await use("conversations.send", { body: { channel: "email", body: "Later", send_at } })
  found["message_id"] = textAt(later.json, "message_id")
  expect(at((await use("scheduled.list")).json, "scheduled", 0, "message_id")).toBe(found["message_id"])
  expect((await use("scheduled.get")).status).toBe(200)
  expect((await use("scheduled.update", { body: { body: "Even later" } })).status).toBe(200)
  expect(at((await use("scheduled.cancel")).json, "state")).toBe("canceled")
}
