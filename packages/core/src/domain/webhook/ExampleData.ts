import type { EventType } from "./Event.ts"

type Data = Readonly<Record<string, unknown>>

const contact: Data = {
  contact_id: "con_00000000000000000000000000",
  name: "Jo Smith",
  email: "jo@customer.example",
  phone: "+4930123456",
  company: null,
  tags: ["newsletter"],
  archived: false,
  merged_into: null
}

const message: Data = { message_id: "msg_00000000000000000000000000", preview: "What would a new roof cost?" }

const lead: Data = {
  lead_id: "lead_00000000000000000000000000",
  contact_id: "con_00000000000000000000000000",
  thread_id: "thr_00000000000000000000000000",
  channel: "email",
  source: "email",
  subject: "A roof",
  state: "open",
  score: 72,
  tier: "hot"
}

const classification: Data = {
  intent: "pricing",
  urgency: "medium",
  sentiment: "neutral",
  summary: "Asks what a new roof costs.",
  confidence: 0.9
}

/** Examples of each event type, for test deliveries and the documentation. The persons are fictitious. */
export const exampleData: Readonly<Record<EventType, Data>> = {
  "lead.received": { ...lead, score: null, tier: null, ...message },
  "lead.scored": {
    ...lead,
    factors: [{ name: "intent", points: 30 }],
    recommended_actions: ["call_back"],
    classification
  },
  "lead.tier_changed": { ...lead, previous_tier: "warm" },
  "lead.state_changed": { ...lead, state: "engaged", previous_state: "open", reason: "a rule" },
  "lead.stage_changed": {
    ...lead,
    pipeline_id: "pip_default",
    stage_id: "stg_00000000000000000000000000",
    stage_name: "Proposal sent",
    previous_pipeline_id: "pip_default",
    previous_stage_id: "stg_open",
    reason: null
  },
  "lead.contact_replied": { ...lead, ...message },
  "contact.created": contact,
  "contact.updated": contact,
  "conversation.updated": {
    contact_id: "con_00000000000000000000000000",
    lead_id: "lead_00000000000000000000000000",
    channel: "email",
    actor: "contact",
    ...message
  },
  "rule.notified": {
    rule_id: "emergency",
    to: "#on-call",
    text: "Jo has a leak",
    contact_id: "con_00000000000000000000000000",
    lead_id: "lead_00000000000000000000000000",
    signal_id: "sig_00000000000000000000000000",
    ...message
  },
  "grant.expired": {
    grant_id: "grant_00000000000000000000000000",
    provider: "google",
    email: "sales@acme.example",
    reason: "The owner has to sign in again."
  },
  "crm.signed_out": {
    location_id: "ve9EPM428h8vShlRW1KT",
    reason: "The app has to be installed again."
  }
}
