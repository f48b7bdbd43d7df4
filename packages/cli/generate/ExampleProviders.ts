import { demoTenant } from "../src/demo/Setup.ts"
import type { Example } from "./ExampleRecorder.ts"

const tenant = { tenant_id: demoTenant }
const location = { ...tenant, location_id: "Qk3vTz8LmN2pXa" }
const agency = { company_id: "Yd81kLpQ0sRn" }
const at = "2026-03-02T18:10:00.000Z"
const redirect = { code: "the-authorization-code", state: "the-state-of-the-url" }

const install = {
  location_id: location.location_id,
  company_id: agency.company_id,
  status: "installed",
  reason: null,
  sync: "both",
  scopes: ["contacts.readonly", "contacts.write"],
  installed_at: at,
  updated_at: at,
  first_sync: {
    state: "running",
    reason: null,
    crm_total: 412,
    started_at: at,
    updated_at: at,
    finished_at: null,
    step: "from_crm",
    crm_seen: 150,
    seen: 0,
    created: 138,
    matched: 10,
    sent: 0,
    skipped: 2
  }
}

/** The findings of the demo would name the machine on which it runs. */
const examined: Example = {
  parameters: {},
  status: 200,
  response: {
    examined_at: at,
    findings: [
      { check: "database", level: "ok", found: "The database has all migrations of this version.", advice: null },
      {
        check: "disk",
        level: "warning",
        found: "/var/lib/leadloom has 0.8 GB of free space.",
        advice: "Free space, or move LEADLOOM_DATA_DIR to a larger disk."
      }
    ]
  }
}

const installed = {
  company_id: agency.company_id,
  status: "installed",
  reason: null,
  scopes: ["oauth.readonly"],
  installed_at: at,
  updated_at: at
}

const authUrl = (host: string) => ({
  url: `https://${host}/oauth/authorize?state=the-state`,
  expires_at: "2026-03-02T18:20:00.000Z"
})

const classification = {
  intent: "booking",
  urgency: "high",
  sentiment: "negative",
  summary: "Water comes through the ceiling after a storm. Asks for a visit today.",
  confidence: 0.93
}

/** Returns a field of a recorded response. */
const field = (example: Example | undefined, name: string): unknown => Object(example?.response)[name]

/** The examples of the CRM connection. */
const crmExamples: Readonly<Record<string, Example>> = {
  "crm.authUrl": { parameters: tenant, status: 200, response: authUrl("marketplace.gohighlevel.com") },
  "crm.callback": { parameters: tenant, request: redirect, status: 201, response: install },
  "crm.listInstalls": { parameters: tenant, status: 200, response: { installs: [install] } },
  "crm.updateInstall": { parameters: location, request: { sync: "both" }, status: 200, response: install },
  "crm.syncInstall": { parameters: location, status: 202, response: install },
  "crm.removeInstall": { parameters: location, status: 204 },
  "agencies.authUrl": { parameters: {}, status: 200, response: authUrl("marketplace.gohighlevel.com") },
  "agencies.callback": { parameters: {}, request: redirect, status: 201, response: installed },
  "agencies.list": { parameters: {}, status: 200, response: { agencies: [installed], next_cursor: null } },
  "agencies.locations": {
    parameters: agency,
    status: 200,
    response: {
      locations: [
        { location_id: location.location_id, name: "Larkspur Roofing", installed: true, tenant_id: demoTenant }
      ],
      next_cursor: null
    }
  },
  "agencies.remove": { parameters: agency, status: 204 }
}

/** The examples that contain no id of the demo. */
const fixedExamples: Readonly<Record<string, Example>> = {
  "billing.checkout": {
    parameters: tenant,
    request: { plan: "growth" },
    status: 201,
    response: {
      checkout_id: "cs_test_a1",
      url: "https://checkout.stripe.com/c/pay/cs_test_a1",
      expires_at: "2026-03-03T18:10:00.000Z"
    }
  },
  "billing.portal": {
    parameters: tenant,
    status: 200,
    response: { url: "https://billing.stripe.com/p/session/test_a1" }
  },
  "email.authUrl": {
    parameters: { ...tenant, provider: "google" },
    status: 200,
    response: authUrl("accounts.google.com")
  },
  "dataRights.importArchive": {
    parameters: tenant,
    status: 200,
    response: {
      kinds: { contacts: { imported: 12, present: 0, erased: 1 }, messages: { imported: 64, present: 0, erased: 3 } }
    }
  },
  "imageProxy.image": { parameters: { token: "eyJ0b2tlbiI6MX0.c2lnbmF0dXJl" }, status: 200 },
  "attachments.download": { parameters: { token: "eyJ0b2tlbiI6MX0.c2lnbmF0dXJl" }, status: 200 }
}

/**
 * Returns the examples of operations that need a provider, which the demo does not have. They use the ids of the
 * recorded ones.
 */
export const providerExamples = (recorded: ReadonlyMap<string, Example>): Readonly<Record<string, Example>> => {
  const message = recorded.get("actions.scoreContact")?.request
  const call = Object(recorded.get("calls.outbound")?.response)
  const usage = recorded.get("usage.get")?.response
  const contactId = String(field(recorded.get("contacts.get"), "id"))
  const action = {
    data: { tag: "roof-repair" },
    extras: { locationId: location.location_id, contactId: "8sVd0KqW2uYb", workflowId: "wf-storm-damage" }
  }
  const tagged = { success: true, contact_id: contactId, tag: "roof-repair" }
  return {
    "deployment.doctor": examined,
    "actions.classifyConversation": {
      parameters: tenant,
      request: message,
      status: 200,
      response: { success: true, data: classification }
    },
    "actions.generateReply": {
      parameters: tenant,
      request: message,
      status: 200,
      response: {
        success: true,
        data: {
          text: "Hello Dana, we can be there today at 4 pm. Please put a bucket under the leak.",
          channel: "email",
          requires_approval: true
        }
      }
    },
    "usage.set": { parameters: tenant, request: { actions: { cap: 5_000 } }, status: 200, response: usage },
    "email.callback": {
      parameters: tenant,
      request: redirect,
      status: 201,
      response: { ...Object(recorded.get("email.getGrant")?.response), provider: "google" }
    },
    ...crmExamples,
    ...fixedExamples,
    "calls.recording": { parameters: { ...tenant, contact_id: contactId }, status: 200 },
    "calls.transfer": {
      parameters: { ...tenant, call_session_id: String(call.call_session_id) },
      request: { to: "+12025550101" },
      status: 200,
      response: {
        ...call,
        status: "in_progress",
        answered_at: "2026-03-02T18:12:05.000Z",
        transferred_to: "+12025550101"
      }
    },
    "crmActions.run": { parameters: { action_key: "add_tag" }, request: action, status: 200, response: tagged },
    "crmActions.runAlias": { parameters: { action_key: "add_tag" }, request: action, status: 200, response: tagged }
  }
}

const comparison = { fact: "score.tier", op: "eq", value: "hot" }

/** Nests a condition to a depth. */
const nested = (levels: number): unknown => (levels === 0 ? comparison : { all: [nested(levels - 1)] })

const stepResult = { step: "reminder", variant: "short", sent: 120, answered: 18, opened: 42 }

/** Parts of sequences, and a consent to tracking, that the demo does not use. */
const stepExamples = {
  StepFallback: { channel: "sms", body: "Do you have questions about our quote?" },
  StepVariant: { name: "short", weight: 2, subject: "Your quote", body: "Any questions?" },
  WaitUntil: { field: "inspected_on", days: -1, time: "09:00" },
  WaitUntilDate: { field: "inspected_on", days: -1, time: "09:00" },
  WaitUntilTime: { time: "09:00" },
  TrackingRecord: {
    status: "opted_out",
    source: "person",
    at: "2026-03-02T09:00:00.000Z",
    proof: null,
    recorded_by: "user:nina",
    history: []
  },
  StepResult: stepResult,
  SequenceResults: { enrolments: 150, results: [stepResult] }
}

/** Returns the examples of schemas that no request or response of the demo contains. */
export const schemaExamples = (recorded: ReadonlyMap<string, Example>): Readonly<Record<string, unknown>> => {
  const [primary, duplicate] = [recorded.get("contacts.get")?.response, recorded.get("contacts.create")?.response]
  const conditions = [2, 3, 4, 5, 6, 7].map((level) => [`Condition${level}`, nested(level - 1)] as const)
  return {
    ...Object.fromEntries(conditions),
    BatchItemError: {
      code: "BAD_REQUEST",
      message: "The request contains an invalid field.",
      details: [{ path: "message", message: "Expected a non-empty text" }]
    },
    ...stepExamples,
    SendReceipt: { verdict: "allow", overridden: ["undeliverable"], by: "user:nina" },
    Trigger: { type: "no_answer", after_minutes: 2_880 },
    TriggerRunChange: { field: "state", from: "open", to: "engaged" },
    CrmRuleAction: { type: "crm_action", action: "add_tag", tag: "roof-repair" },
    MergeSuggestion: {
      primary_contact_id: Object(primary).id,
      duplicate_contact_id: Object(duplicate).id,
      reason: "One message has the email address of one contact and the phone number of the other.",
      created_at: at,
      primary,
      duplicate
    },
    EventProcessed: {
      event_id: String(field(recorded.get("events.send"), "event_id")),
      status: "processed",
      classification: null,
      matched_rules: 1,
      actions_triggered: ["create_task"]
    },
    EventSkipped: { status: "skipped", reason: "state_store_unavailable" },
    CustomFieldChanges: { roof_type: "flat", inspected_on: null },
    ReportRow: {
      group: "sms",
      metric: "first_response",
      detail: "agent",
      count: 14,
      average_seconds: 412,
      median_seconds: 305,
      p90_seconds: 1_180,
      value: null,
      rate: null
    },
    MailAuthentication: {
      spf: "pass",
      dkim: "pass",
      dmarc: "pass",
      arc: "none",
      from_domain_aligned: true,
      verified_by: "leadloom"
    },
    StageMove: { from: "stg_06bxr0000000000000000000000", to: "stg_06bxr0000000000000000000001" }
  }
}
