import type { EventType } from "./Event.ts"

type Data = Readonly<Record<string, unknown>>

const contact: Data = {
  contact_id: "con_00000000000000000000000000",
  name: "Jo Smith",
  email: "jo@customer.example",
  phone: "+4930123456",
  company: null,
  company_id: null,
  tags: ["newsletter"],
  custom_fields: { budget: 12_000 },
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

const user: Data = {
  user_id: "usr_00000000000000000000000000",
  name: "Ann Baker",
  email: "ann@business.example",
  role: "agent",
  active: true
}

const team: Data = {
  team_id: "team_00000000000000000000000000",
  name: "Sales",
  member_ids: ["usr_00000000000000000000000000"]
}

const note: Data = {
  note_id: "note_00000000000000000000000000",
  contact_id: "con_00000000000000000000000000",
  author_id: "usr_00000000000000000000000000",
  author: "user:jo.agent",
  preview: "<@usr_00000000000000000000000001> please call back before noon.",
  mentions: ["usr_00000000000000000000000001"],
  new_mentions: ["usr_00000000000000000000000001"],
  team_mentions: []
}

const conversation = {
  contact_id: "con_00000000000000000000000000",
  contact_name: "Jane Doe",
  contact_email: "jane@customer.example",
  last_message: "How much is a new kitchen?",
  last_channel: "email",
  last_timestamp: "2026-03-01T09:30:00.000Z",
  lead_id: "lead_00000000000000000000000000",
  lead_state: "open",
  score_tier: "warm",
  unread: 1,
  state: "open",
  assignee_id: "usr_00000000000000000000000000",
  team_id: null,
  tags: ["kitchen"],
  priority: "high",
  snooze_until: null,
  waiting_since: "2026-03-01T09:30:00.000Z"
}

const task: Data = {
  task_id: "task_00000000000000000000000000",
  contact_id: "con_00000000000000000000000000",
  lead_id: "lead_00000000000000000000000000",
  type: "callback",
  status: "open",
  priority: "high",
  title: "Call Jo about the roof",
  due_at: "2026-03-02T14:00:00.000Z",
  assignee_id: "usr_00000000000000000000000000",
  team_id: null,
  disposition: null
}

const draft: Data = {
  draft_id: "draft_00000000000000000000000000",
  contact_id: "con_00000000000000000000000000",
  author: "assistant",
  channel: "email",
  answers_message_id: "msg_00000000000000000000000000",
  version: null,
  preview: "A new roof of 80 square metres costs about 12,000 euros."
}

const agentDraft: Data = { ...draft, author: "agent", version: 2 }

const delivery: Data = {
  message_id: "msg_00000000000000000000000001",
  contact_id: "con_00000000000000000000000000",
  lead_id: "lead_00000000000000000000000000",
  channel: "email"
}

const scheduled: Data = {
  message_id: "msg_00000000000000000000000001",
  contact_id: "con_00000000000000000000000000",
  channel: "sms",
  state: "scheduled",
  send_at: "2026-03-02T08:00:00.000Z",
  version: 1,
  reason: null,
  preview: "We will be with you at ten."
}

const enrolment: Data = {
  enrolment_id: "enr_00000000000000000000000000",
  sequence_id: "seq_00000000000000000000000000",
  contact_id: "con_00000000000000000000000000",
  lead_id: "lead_00000000000000000000000000",
  version: 1,
  state: "active",
  step: "first-reminder",
  message_id: null,
  stop_reason: null,
  pause_reason: null
}

/** Examples of each event type, for test deliveries and the documentation. The persons are fictitious. */
export const exampleData: Readonly<Record<EventType, Data>> = {
  "lead.received": { ...lead, score: null, tier: null, ...message },
  "lead.updated": {
    ...lead,
    value: 250_000,
    currency: "USD",
    expected_close_on: "2026-04-01",
    tags: ["garden"],
    loss_reason: null,
    custom_fields: { budget: "high" }
  },
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
  "lead.assigned": {
    ...lead,
    assignee_id: "usr_00000000000000000000000000",
    team_id: "team_00000000000000000000000000",
    previous_assignee_id: null,
    previous_team_id: null,
    reason: "a rule"
  },
  "lead.contact_replied": { ...lead, ...message },
  "contact.created": contact,
  "contact.updated": contact,
  "conversation.updated": {
    contact_id: "con_00000000000000000000000000",
    lead_id: "lead_00000000000000000000000000",
    channel: "email",
    actor: "contact",
    ...message,
    conversation
  },
  "user.created": user,
  "user.updated": user,
  "user.deactivated": { ...user, active: false },
  "team.created": team,
  "team.updated": team,
  "team.deleted": team,
  "thread.corrected": {
    correction_id: "cor_00000000000000000000000000",
    kind: "split",
    thread_id: "thr_00000000000000000000000001",
    from_thread_ids: ["thr_00000000000000000000000000"],
    message_id: "msg_00000000000000000000000000",
    undone: false
  },
  "note.created": note,
  "note.updated": { ...note, preview: "Called back. The roof is 80 square metres.", mentions: [], new_mentions: [] },
  "note.deleted": { ...note, new_mentions: [] },
  "draft.created": draft,
  "draft.updated": agentDraft,
  "draft.approved": draft,
  "draft.dismissed": draft,
  "message.sent": { ...delivery, delivery: "sent", reason: "250 2.0.0 OK" },
  "message.delivered": { ...delivery, channel: "sms", delivery: "delivered", reason: null },
  "message.bounced": { ...delivery, delivery: "bounced", reason: "550 5.1.1 The mailbox does not exist" },
  "message.failed": { ...delivery, delivery: "failed", reason: "the sending account was disconnected" },
  "scheduled_message.created": scheduled,
  "scheduled_message.updated": { ...scheduled, send_at: "2026-03-02T09:00:00.000Z", version: 2 },
  "scheduled_message.canceled": { ...scheduled, state: "canceled", version: 3 },
  "scheduled_message.sent": { ...scheduled, state: "sent" },
  "scheduled_message.failed": { ...scheduled, state: "failed", reason: "the contact was erased" },
  "sequence.enrolled": enrolment,
  "sequence.step_sent": { ...enrolment, message_id: "msg_00000000000000000000000001" },
  "sequence.completed": { ...enrolment, state: "completed", step: null },
  "sequence.stopped": { ...enrolment, state: "stopped", step: null, stop_reason: "replied" },
  "sequence.held_out": { ...enrolment, state: "held_out", step: null },
  "sequence.enrolment_paused": { ...enrolment, state: "paused", pause_reason: "by_person" },
  "sequence.enrolment_resumed": enrolment,
  "sequence.step_skipped": { ...enrolment, step: "first-reminder" },
  "sequence.paused": {
    sequence_id: enrolment["sequence_id"],
    name: "After a quote",
    pause_reason: "bounces",
    pause_detail: "3 of 50 emails bounced in 7 days (6 %, limit 5 %)"
  },
  "sequence.resumed": {
    sequence_id: enrolment["sequence_id"],
    name: "After a quote",
    pause_reason: null,
    pause_detail: null
  },
  "link.opened": {
    contact_id: "con_00000000000000000000000000",
    message_id: "msg_00000000000000000000000000",
    sequence_id: enrolment["sequence_id"],
    enrolment_id: enrolment["enrolment_id"],
    step: "first-reminder",
    url: "https://acme.example/prices",
    opened_at: "2026-03-02T09:00:00.000Z"
  },
  "task.created": task,
  "task.updated": { ...task, priority: "urgent" },
  "task.completed": { ...task, status: "done", disposition: "Comes on Monday" },
  "task.reminder": task,
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
  "email.connection_failed": {
    grant_id: "grant_00000000000000000000000000",
    provider: "imap",
    email: "sales@acme.example",
    error: "The mail server does not answer.",
    failing_since: "2026-03-02T09:00:00.000Z",
    last_sync_at: "2026-03-02T08:59:00.000Z"
  },
  "crm.signed_out": {
    location_id: "ve9EPM428h8vShlRW1KT",
    reason: "The app has to be installed again."
  }
}
