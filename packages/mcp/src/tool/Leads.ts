import type { Lead } from "@leadloom/client"
import { Schema } from "effect"
import { contactId, leadId, leadStates, oneOf, optionalText, page } from "../Input.ts"
import { defineTool, type Hints, readOnly } from "../Tool.ts"

const change: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }

const brief = ({ id, classification, factors: _, tenant_id: __, thread_id: ___, ...lead }: Lead) => ({
  lead_id: id,
  ...lead,
  intent: classification?.intent ?? null
})

const whole = ({ id, tenant_id: _, thread_id: __, ...lead }: Lead) => ({ lead_id: id, ...lead })

export const listLeads = defineTool({
  name: "list_leads",
  title: "List leads",
  description:
    "List leads (enquiries), newest first, with state, score, tier and assignee. All filters must match. Merged leads are left out.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true, maxText: 300 },
  input: Schema.Struct({
    state: oneOf(leadStates, "Only leads in this state"),
    tier: oneOf(["hot", "warm", "cold", "none"], "Only leads of this tier; none: without a score"),
    contact_id: Schema.optionalKey(contactId),
    assignee: optionalText("Only leads of this person"),
    ...page(50, 20)
  }),
  run: async ({ contact_id: contactId, limit = 20, ...filter }, { client, tenantId }) => {
    const { leads, next_cursor } = await client.leads.list(tenantId, { ...filter, contactId, limit })
    return { leads: leads.map(brief), next_cursor }
  }
})

export const getLead = defineTool({
  name: "get_lead",
  title: "Read a lead",
  description:
    "Read one lead with its classification and the factors of its score. Read its messages with get_conversation and its contact_id.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true },
  input: Schema.Struct({ lead_id: leadId }),
  run: async ({ lead_id }, { client, tenantId }) => whole(await client.leads.get(tenantId, lead_id))
})

export const updateLead = defineTool({
  name: "update_lead",
  title: "Change a lead",
  description: "Change the subject or the assignee of a lead. Absent fields stay; null removes a value.",
  rights: ["messages"],
  hints: change,
  output: { untrusted: true, maxText: 300 },
  input: Schema.Struct({
    lead_id: leadId,
    subject: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({ description: "The new title of the lead" }),
    assignee: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
      description: "The person responsible for the lead, as a name or an address"
    })
  }),
  run: async ({ lead_id, ...fields }, { client, tenantId }) =>
    brief(await client.leads.update(tenantId, lead_id, fields))
})

export const transitionLead = defineTool({
  name: "transition_lead",
  title: "Move a lead to another state",
  description:
    "Move a lead to another state. Permitted: open → engaged → qualified → won or lost, any state → archived, lost or archived → open. The error for another change lists the permitted states.",
  rights: ["messages"],
  hints: change,
  output: { untrusted: true, maxText: 300 },
  input: Schema.Struct({
    lead_id: leadId,
    state: Schema.Literals(leadStates).annotate({ description: "The new state" }),
    reason: optionalText("Why the state changes, at most 500 characters")
  }),
  run: async ({ lead_id, ...transition }, { client, tenantId }) =>
    brief(await client.leads.transition(tenantId, lead_id, transition))
})
