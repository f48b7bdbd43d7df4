import { type PersonalDataTable, ofContact, exportable } from "./PersonalDataTable.ts"

/** Tables that are keyed by an address or a number instead of a contact. */
export type AddressTableName = "undeliverable" | "blocked_numbers" | "opt_outs"

/** Undeliverable addresses, blocked numbers and opt-outs. The erasure of a contact replaces its keys with hashes. */
export const addressTables: { readonly [Name in AddressTableName]: PersonalDataTable } = {
  undeliverable: {
    ...exportable,
    name: "undeliverable",
    key: ["email"],
    belongs: { by: "address", column: "email" },
    columns: { email: "text", bounced_at: "time", reason: "text" }
  },
  blocked_numbers: {
    ...exportable,
    name: "blocked_numbers",
    key: ["phone"],
    belongs: { by: "address", column: "phone" },
    columns: { phone: "text", created_at: "time" }
  },
  opt_outs: {
    ...exportable,
    name: "opt_outs",
    key: ["phone", "own_phone"],
    belongs: { by: "address", column: "phone" },
    columns: {
      phone: "text",
      own_phone: "text",
      opted_out: "flag",
      source: "text",
      changed_at: "time",
      history: "json"
    }
  }
}

/** Telephone calls. */
export const callTable: PersonalDataTable = {
  ...exportable,
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

/** Links between contacts and CRM contacts. */
export const crmLinks: PersonalDataTable = {
  ...exportable,
  name: "crm_links",
  key: ["location_id", "crm_contact_id"],
  belongs: ofContact,
  excludedBecause: "The importing instance links its contacts to the CRM again.",
  columns: { location_id: "text", crm_contact_id: "text" }
}

/** Results of guardrails for replies to a contact. */
export const guardEvaluations: PersonalDataTable = {
  ...exportable,
  name: "guard_evaluations",
  key: ["evaluation_id"],
  belongs: ofContact,
  same: ["created_at", "guardrail_id", "outcome"],
  columns: {
    evaluation_id: "text",
    stage: "text",
    signal_id: "text",
    message_id: "text",
    contact_id: "text",
    created_at: "time",
    guardrail_id: "text",
    kind: "text",
    outcome: "text",
    reason: "text"
  }
}

/** Leads. */
export const leads: PersonalDataTable = {
  ...exportable,
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
