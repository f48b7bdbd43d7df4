import { type Kind, ofContact, travels } from "./Kind.ts"

/** What a contact wants, and how far it is. */
export const leads: Kind = {
  ...travels,
  name: "leads",
  key: ["lead_id"],
  belongs: ofContact,
  same: ["created_at", "channel", "source"],
  columns: {
    lead_id: "text",
    contact_id: "text",
    thread_id: "text?",
    channel: "text",
    source: "text",
    subject: "text?",
    state: "text",
    score: "integer?",
    tier: "text?",
    factors: "json",
    classification: "json?",
    assignee: "text?",
    merged_into: "text?",
    created_at: "time",
    updated_at: "time",
    last_message_at: "time"
  }
}
