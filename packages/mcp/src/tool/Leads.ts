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
    "List leads (enquiries), newest first, with state, score, tier, assignee, and as deals with stage, value and currency. A value is in the smallest unit of its currency, for example cents. All filters must match. Merged leads are left out.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true, maxText: 300 },
  input: Schema.Struct({
    state: oneOf(leadStates, "Only leads in this state"),
    tier: oneOf(["hot", "warm", "cold", "none"], "Only leads of this tier; none: without a score"),
    contact_id: Schema.optionalKey(contactId),
    assignee: optionalText("Only leads of this person"),
    stage_id: optionalText("Only leads in this stage (`stg_…`), from list_stages. A page can then be short"),
    ...page(50, 20)
  }),
  run: async ({ contact_id: contactId, limit = 20, stage_id: stageId, ...filter }, { client, tenantId }) => {
    const { leads, next_cursor } = await client.leads.list(tenantId, { ...filter, contactId, stageId, limit })
    return { leads: leads.map(brief), next_cursor }
  }
})

export const getLead = defineTool({
  name: "get_lead",
  title: "Read a lead",
  description:
    "Read one lead with its classification, the factors of its score, its stage and its value. Read its messages with get_conversation and its contact_id.",
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

export const listStages = defineTool({
  name: "list_stages",
  title: "List the stages of deals",
  description:
    "List the pipelines of the tenant with the stages of deals in their order. Each stage belongs to one state of leads. Move a lead with move_lead.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true, maxText: 100 },
  input: Schema.Struct({ pipeline_id: optionalText("Only the stages of this pipeline (`pip_…`)") }),
  run: async ({ pipeline_id: wanted }, { client, tenantId }) => {
    const { pipelines } = await client.pipelines.list(tenantId)
    return { pipelines: pipelines.filter(({ pipeline_id }) => wanted === undefined || pipeline_id === wanted) }
  }
})

export const moveLead = defineTool({
  name: "move_lead",
  title: "Move a lead to a stage",
  description:
    "Move a lead to a stage of any pipeline. If the stage has another state, the lead changes its state under the rules of transition_lead. A call for the current stage changes nothing.",
  rights: ["messages"],
  hints: change,
  output: { untrusted: true, maxText: 300 },
  input: Schema.Struct({
    lead_id: leadId,
    stage_id: Schema.String.annotate({ description: "Stage id (`stg_…`), from list_stages" }),
    reason: optionalText("Why the stage changes, at most 500 characters"),
    loss_reason: optionalText("Why the lead is lost, at most 200 characters. Only for a stage with the state lost")
  }),
  run: async ({ lead_id, ...move }, { client, tenantId }) => brief(await client.leads.move(tenantId, lead_id, move))
})
