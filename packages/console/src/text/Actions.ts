import { actionNames, nameOf, valueText } from "./Conditions.ts"
import { taskText } from "./Task.ts"

type Fields = Readonly<Record<string, unknown>>

/** The shown length of a template in a sentence, in characters. */
const maxShown = 60

/** Returns the start of a text in one line, which ends with a whole word. */
const startOf = (long: string): string => {
  const line = long.replaceAll(/\s+/gu, " ").trim()
  if (line.length <= maxShown) return line
  const cut = line.slice(0, maxShown)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 1)).toWellFormed()}…`
}

const details: Readonly<Record<string, (of: Fields) => string>> = {
  assign: ({ to }) => `assign it to ${valueText(to)}`,
  tag: ({ tag }) => `add the tag ${valueText(tag)}`,
  untag: ({ tag }) => `remove the tag ${valueText(tag)}`,
  set_field: ({ field, value }) =>
    value === null ? `clear the field ${valueText(field)}` : `set the field ${valueText(field)} to ${valueText(value)}`,
  move_stage: ({ stage }) => `move the lead to the stage ${valueText(stage)}`,
  create_task: ({ priority, task_type: type, title }) =>
    `create a task (${[nameOf(taskText.types, String(type)), title, priority].filter((one) => one !== undefined).join(", ")})`,
  transition: ({ state }) => `change the state of the lead to ${valueText(state)}`,
  reply: ({ mode, template }) =>
    `reply${template === undefined ? "" : ` “${startOf(String(template))}”`}${mode === undefined ? "" : mode === "auto" ? " automatically" : " after approval"}`,
  send_template: ({ canned_reply: reply, channel }) =>
    `send ${channel === "email" ? "an email" : "a text"}${reply === undefined ? "" : " with a canned reply"}`,
  start_sequence: ({ sequence }) => `start the sequence ${valueText(sequence)}`,
  stop_sequence: ({ sequence }) =>
    sequence === undefined ? "stop all sequences of the contact" : `stop the sequence ${valueText(sequence)}`,
  snooze_conversation: ({ minutes }) =>
    minutes === undefined
      ? "snooze the conversation until the business opens"
      : `snooze the conversation for ${Number(minutes).toLocaleString("en")} minutes`,
  forward: ({ to }) => `forward the email to ${Array.isArray(to) ? to.join(", ") : valueText(to)}`,
  call_webhook: ({ url }) => `call the webhook ${valueText(url)}`,
  crm_action: ({ action }) => `change the contact in the CRM (${String(action).replaceAll("_", " ")})`
}

/** Returns an action as a part of a sentence. */
export const actionText = (action: { readonly type: string }): string =>
  details[action.type]?.({ ...action }) ?? nameOf(actionNames, action.type)

/** The texts of the editor of actions. */
export const actionFormText = {
  add: "Add an action",
  remove: (name: string) => `Remove the action “${name}”`,
  up: (position: number, name: string) => `Move action ${position} up: ${name}`,
  down: (position: number, name: string) => `Move action ${position} down: ${name}`,
  unset: "Not set",
  unsetOf: { mode: "As the reply mode of the settings says", priority: "Normal" },
  fields: {
    to: "For",
    tag: "Tag",
    task_type: "Type of the task",
    title: "Title",
    due_in_minutes: "Due in minutes",
    state: "State",
    template: "Text",
    mode: "Before it is sent",
    message: "Message",
    sequence: "Sequence",
    field: "Field",
    value: "Value",
    body: "Note",
    stage: "Stage",
    minutes: "Minutes",
    priority: "Priority"
  },
  forward: {
    to: "Forward to",
    toHint:
      "1 to 5 addresses, one per line. Addresses of the business and of the contact are refused when the rule runs.",
    body: "Text above the email"
  },
  callWebhook: {
    url: "URL",
    urlHint: "Receives the contact, the lead and the message as a signed POST request.",
    secret: "Webhook whose secret signs the request",
    secretHint: "The webhook itself does not receive the request.",
    noWebhooks: "There are no webhooks. Create one in the settings.",
    chooseWebhook: "Choose a webhook",
    deletedWebhook: (id: string) => `Deleted webhook ${id}`,
    stored: "Values of the response",
    pointer: (field: string) => `Place of ${field} in the response`,
    pointerHint: "A JSON Pointer, for example /customer/plan.",
    addStored: "Store a value of the response",
    removeStored: (field: string) => `Do not store ${field}`
  },
  options: {
    reply_approval: "approve a reply",
    callback: "call back",
    follow_up: "follow up",
    review: "review",
    draft: "a person approves it",
    auto: "send it",
    lead: "the lead",
    urgent: "urgent",
    high: "high",
    normal: "normal",
    low: "low"
  }
} as const
