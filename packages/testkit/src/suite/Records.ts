import type { StoredKey } from "@leadloom/core/internal/domain/access/StoredKey"
import type { Call } from "@leadloom/core/internal/domain/call/Call"
import { newCall } from "@leadloom/core/internal/domain/call/NewCall"
import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import type { Arrival } from "@leadloom/core/internal/domain/conversation/Arrival"
import type { Draft } from "@leadloom/core/internal/domain/draft/Draft"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import type { Id, IdPrefix } from "@leadloom/core/internal/domain/Id"
import { noDeal } from "@leadloom/core/internal/domain/lead/Deal"
import type { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import type { ScoreRecord } from "@leadloom/core/internal/domain/lead/Score"
import type { Run } from "@leadloom/core/internal/domain/run/Run"
import type { Signal } from "@leadloom/core/internal/domain/classification/Signal"
import type { ThreadRecord } from "@leadloom/core/internal/domain/email/thread/Thread"
import type { Grant } from "@leadloom/core/internal/domain/email/Grant"
import type { MailReservation } from "@leadloom/core/internal/domain/sending/Reservation"
import type { NewTask } from "@leadloom/core/internal/domain/task/Task"
import type { Source } from "@leadloom/core/internal/domain/access/Source"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { defaultConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import type { OutboundEvent } from "@leadloom/core/internal/domain/webhook/Event"

/** 12:30 UTC on a weekday, in epoch milliseconds. */
export const noon = 1_773_059_400_000

let tenants = 0
/** Returns a tenant id that no other test of this process uses. Suites share one store. */
export const freshTenant = (): string => `tenant-${++tenants}`

/** Returns a readable id. Ids sort by their numbers, like real ids sort by time. */
export const idOf = <P extends IdPrefix>(prefix: P, number: number): Id<P> =>
  `${prefix}_${String(number).padStart(26, "0")}`

export const tenantRecord = (tenantId: string, changes: Partial<Tenant> = {}): Tenant => ({
  tenantId,
  name: "Müller & Söhne",
  domain: `${tenantId.replaceAll("_", "-")}.example`,
  hipaa: false,
  locale: null,
  plan: "trial",
  capOverrides: { actions: null, ai_calls: null },
  createdAt: noon,
  archivedAt: null,
  config: defaultConfig,
  configVersion: 1,
  ...changes
})

export const sourceRecord = (tenantId: string | null, sourceId: string, changes: Partial<Source> = {}): Source => ({
  sourceId,
  tenantId,
  prefix: "lls_1234",
  hash: `hash of ${tenantId ?? "all"} ${sourceId}`,
  createdAt: noon,
  ...changes
})

export const keyRecord = (tenantId: string, number: number, changes: Partial<StoredKey> = {}): StoredKey => ({
  keyId: idOf("key", number),
  tenantId,
  name: `Key ${number}`,
  prefix: "llk_abcdefgh",
  hash: `hash of ${tenantId} ${number}`,
  scopes: null,
  createdAt: noon + number,
  expiresAt: null,
  replacedAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...changes
})

export const contactRecord = (tenantId: string, number: number, changes: Partial<Contact> = {}): Contact => ({
  contactId: idOf("con", number),
  tenantId,
  name: `Person ${number}`,
  email: `person.${number}@customer.example`,
  phone: null,
  company: null,
  notes: null,
  tags: [],
  attributes: {},
  customFields: {},
  companyId: null,
  companyRemoved: false,
  createdAt: noon + number,
  updatedAt: noon + number,
  archivedAt: null,
  mergedInto: null,
  ...changes
})

export const leadRecord = (tenantId: string, number: number, changes: Partial<Lead> = {}): Lead => ({
  leadId: idOf("lead", number),
  tenantId,
  contactId: idOf("con", 1),
  threadId: null,
  channel: "sms",
  source: "twilio",
  subject: null,
  state: "open",
  score: null,
  tier: null,
  factors: [],
  classification: null,
  assignee: null,
  ...noDeal,
  assigneeId: null,
  teamId: null,
  createdAt: noon + number,
  updatedAt: noon + number,
  lastMessageAt: noon + number,
  mergedInto: null,
  ...changes
})

export const scoreRecord = (tenantId: string, number: number, changes: Partial<ScoreRecord> = {}): ScoreRecord => ({
  scoreId: idOf("scr", number),
  tenantId,
  leadId: idOf("lead", 1),
  messageId: idOf("msg", number),
  signalId: idOf("sig", number),
  score: 42,
  tier: "warm",
  factors: [{ name: "pricing", points: 42 }],
  recommendedActions: ["send_quote"],
  classification: { intent: "pricing", urgency: "high", sentiment: "neutral", summary: "„It“", confidence: 0.25 },
  createdAt: noon + number,
  ...changes
})

export const messageRecord = (tenantId: string, number: number, changes: Partial<Message> = {}): Message => ({
  messageId: idOf("msg", number),
  tenantId,
  contactId: idOf("con", 1),
  leadId: null,
  threadId: null,
  channel: "email",
  actor: "contact",
  userId: null,
  body: `Message ${number}`,
  htmlBody: null,
  quotedText: null,
  subject: null,
  internetMessageId: null,
  receivedAlias: null,
  grantId: null,
  from: null,
  to: [],
  cc: [],
  replyTo: [],
  references: [],
  threadRule: null,
  threadVia: null,
  authentication: null,
  providerMessageId: null,
  auto: null,
  delivery: null,
  flags: [],
  attachments: [],
  raw: null,
  source: "smtp",
  metadata: {},
  subjectContactId: null,
  timestamp: noon + number,
  receivedAt: noon + number,
  ...changes
})

export const threadRecord = (tenantId: string, number: number, changes: Partial<ThreadRecord> = {}): ThreadRecord => ({
  threadId: idOf("thr", number),
  tenantId,
  leadId: null,
  baseSubject: "offer",
  createdAt: noon,
  corrected: false,
  ...changes
})

export const signalRecord = (tenantId: string, number: number, changes: Partial<Signal> = {}): Signal => ({
  signalId: idOf("sig", number),
  tenantId,
  messageId: idOf("msg", number),
  contactId: idOf("con", 1),
  leadId: null,
  attempts: 0,
  unfinished: 0,
  suspect: false,
  ...changes
})

export const runRecord = (tenantId: string, number: number, changes: Partial<Run> = {}): Run => ({
  runId: idOf("run", number),
  tenantId,
  signalId: idOf("sig", number),
  messageId: idOf("msg", number),
  contactId: idOf("con", 1),
  leadId: idOf("lead", 1),
  configVersion: 3,
  createdAt: noon,
  classification: null,
  score: { score: 42, tier: "warm", factors: [{ name: "pricing", points: 42 }], recommendedActions: ["call"] },
  matchedRules: [{ ruleId: "r1", name: "Prices" }],
  actions: [{ type: "tag", ruleId: "r1", outcome: "done", reason: "tag price" }],
  written: {
    text: "Grüße 👋",
    channel: "email",
    mode: "draft",
    outcome: "require_approval",
    evaluations: [
      { guardrailId: "g1", kind: "no_links", outcome: "require_approval", reason: { code: "contains_link" } }
    ]
  },
  reply: { text: "Grüße 👋", channel: "email", requiresApproval: true },
  steps: [
    { step: "score", outcome: "done", reason: { code: "scored", score: 42, tier: "warm" } },
    {
      step: "reply",
      outcome: "done",
      reason: { code: "written_by_model", model: "small" },
      afterwards: { code: "person_approves", because: [{ code: "contains_link", guardrailId: "g1" }] }
    }
  ],
  inputs: {
    tenantName: "Acme",
    contact: { company: null, email: "jo@customer.example", name: "Jo \u0000", phone: null, tags: ["a"] },
    contactIsNew: true,
    lead: { assignee: null, createdAt: noon, source: "smtp", state: "open" },
    leadIsNew: true,
    overtaken: false,
    repliesToday: 2,
    lastByPersonAt: noon - 1,
    modelConfigured: true,
    keywordsVersion: 2,
    now: noon
  },
  recordings: {
    classification: { outcome: "skipped", reason: { code: "model_calls_used_up" } },
    reply: {
      outcome: "answered",
      value: { text: "Grüße 👋", concerns: [{ code: "unknown_link", host: "x.example" }] },
      use: { model: "small", calls: 1, inputTokens: 10, outputTokens: 2 }
    }
  },
  ...changes
})

export const draftRecord = (tenantId: string, number: number, changes: Partial<Draft> = {}): Draft => ({
  draftId: idOf("draft", number),
  tenantId,
  contactId: idOf("con", 1),
  leadId: null,
  signalId: idOf("sig", number),
  messageId: idOf("msg", number),
  channel: "email",
  text: `Reply ${number}`,
  state: "pending",
  headMessageId: idOf("msg", number),
  taskId: null,
  createdAt: noon + number,
  ...changes
})

export const taskRecord = (tenantId: string, number: number, changes: Partial<NewTask> = {}): NewTask => ({
  taskId: idOf("task", number),
  tenantId,
  type: "callback",
  title: "Call back",
  contactId: idOf("con", 1),
  leadId: null,
  signalId: null,
  dueAt: null,
  createdAt: noon + number,
  ...changes
})

export const eventRecord = (tenantId: string, number: number, changes: Partial<OutboundEvent> = {}): OutboundEvent => ({
  eventId: idOf("evt", number),
  type: "lead.received",
  tenantId,
  timestamp: noon + number,
  data: { lead_id: idOf("lead", number), nested: { quoted: 'a "word"', list: [1, null, true] } },
  ...changes
})

export const arrivalRecord = (tenantId: string, number: number, changes: Partial<Arrival> = {}): Arrival => ({
  arrivalId: `arrival-${number}`,
  tenantId,
  channel: "email",
  source: "smtp",
  outcome: "message",
  messageId: idOf("msg", number),
  detail: null,
  receivedAt: noon,
  ...changes
})

export const grantRecord = (tenantId: string, number: number, changes: Partial<Grant> = {}): Grant => ({
  grantId: idOf("grant", number),
  tenantId,
  provider: "smtp",
  email: `sales@${tenantId}.example`,
  name: "Müller & Söhne",
  status: "active",
  aliases: [`info@${tenantId}.example`],
  providerGrantId: null,
  signature: "<p>Müller</p>",
  createdAt: noon,
  updatedAt: noon,
  ...changes
})

/** Creates a reservation of a send. Its number is also the number of seconds after which it is due. */
export const sendRecord = (
  tenantId: string,
  number: number,
  changes: Partial<MailReservation> = {}
): MailReservation => ({
  channel: "email",
  tenantId,
  messageId: idOf("msg", number),
  key: `api:${number}`,
  fingerprint: "the request",
  grantId: idOf("grant", 1),
  contactId: idOf("con", 1),
  leadId: null,
  threadId: idOf("thr", 1),
  correspondent: "jo@customer.example",
  mail: {
    internetMessageId: `${number}@mueller.example`,
    date: noon,
    from: { email: "sales@mueller.example", name: "Müller" },
    to: [{ email: "jo@customer.example", name: null }],
    cc: [],
    bcc: [],
    subject: "Grüße",
    text: "Hello",
    html: null,
    inReplyTo: null,
    answersProviderId: null,
    references: [],
    automatic: false
  },
  state: "reserved",
  attempts: 0,
  slotAt: noon + number,
  dueAt: noon + number,
  createdAt: noon + number,
  reason: null,
  override: null,
  ...changes
})

export const callRecord = (tenantId: string, number: number, changes: Partial<Call> = {}): Call =>
  newCall({
    callId: idOf("call", number),
    tenantId,
    contactId: idOf("con", 1),
    provider: "twilio",
    providerCallId: `CA${number}`,
    direction: "outbound",
    fromNumber: "+15550001111",
    toNumber: "+15550002222",
    agentPhone: "+15550003333",
    status: "queued",
    startedAt: noon + number,
    ...changes
  })
