import { type Kind, ofContact, travels } from "./Kind.ts"

/** Telephone calls. */
export const callKind: Kind = {
  ...travels,
  name: "calls",
  key: ["call_id"],
  walk: ["started_at", "call_id"],
  belongs: ofContact,
  same: ["started_at", "direction"],
  columns: {
    call_id: "text",
    contact_id: "text",
    lead_id: "text?",
    provider: "text",
    provider_call_id: "text?",
    contact_leg: "text?",
    direction: "text",
    from_number: "text?",
    to_number: "text?",
    agent_phone: "text?",
    transferred_to: "text?",
    status: "text",
    reason: "text?",
    started_at: "time",
    answered_at: "time?",
    ended_at: "time?",
    duration_seconds: "integer?",
    recording: "text",
    recording_id: "text?",
    recording_seconds: "integer?",
    message_id: "text?",
    requested_by: "text?",
    request_key: "text?",
    fingerprint: "text?",
    updated_at: "time"
  }
}
