import type { Action } from "../Rule.ts"

type CrmAction = Extract<Action, { readonly type: "crm_action" }>

/** A valid action of each type, except CRM actions. */
const examples: Readonly<Record<Exclude<Action["type"], "crm_action">, Action>> = {
  assign: { type: "assign", to: "team_01JD00000000000000000000TM", strategy: "round_robin" },
  tag: { type: "tag", tag: "quote" },
  untag: { type: "untag", tag: "quote" },
  set_field: { type: "set_field", field: "plan", value: "Gold" },
  add_note: { type: "add_note", body: "{{ contact.first_name }} asked about {{ message.subject }}" },
  create_task: { type: "create_task", task_type: "callback", title: "Call {{ contact.name }}", due_in_minutes: 60 },
  transition: { type: "transition", state: "engaged" },
  move_stage: { type: "move_stage", stage: "stg_01JD00000000000000000000ST" },
  reply: { type: "reply", template: "Thank you, {{ contact.first_name }}.", mode: "draft" },
  notify: { type: "notify", message: "{{ contact.name }} asks for a quote", to: "#sales" },
  close_conversation: { type: "close_conversation" },
  snooze_conversation: { type: "snooze_conversation", minutes: 1_440 },
  start_sequence: { type: "start_sequence", sequence: "seq_01JD00000000000000000000SQ" },
  stop_sequence: { type: "stop_sequence" },
  send_template: {
    type: "send_template",
    channel: "email",
    subject: "Your quote",
    body: "Hello {{ contact.first_name }}, do you have questions?",
    fallback: [{ channel: "sms" }]
  },
  forward: { type: "forward", to: ["claims@insurer.example"], body: "A new claim of {{ contact.name }}." },
  call_webhook: {
    type: "call_webhook",
    url: "https://erp.example.com/leadloom",
    webhook_id: "whk_01JD00000000000000000000WH",
    store: { plan: "/customer/plan" }
  },
  suppress_reply: { type: "suppress_reply" },
  stop: { type: "stop" }
}

/** A valid CRM action for each operation. */
const crmExamples: Readonly<Record<CrmAction["action"], CrmAction>> = {
  add_tag: { type: "crm_action", action: "add_tag", tag: "quote" },
  remove_tag: { type: "crm_action", action: "remove_tag", tag: "quote" },
  add_note: { type: "crm_action", action: "add_note", body: "Asked about {{ message.subject }}" },
  create_task: { type: "crm_action", action: "create_task", title: "Call {{ contact.name }}" },
  add_to_workflow: { type: "crm_action", action: "add_to_workflow", workflow_id: "wf_1" },
  update_contact: { type: "crm_action", action: "update_contact", fields: ["name", "phone"] }
}

/** Returns a valid action of a type. `operation` is that of a CRM action, null for other actions. */
export const actionExample = (type: string, operation: string | null): Action | null => {
  const all: Readonly<Record<string, Action>> = operation === null ? examples : crmExamples
  return all[operation ?? type] ?? null
}
