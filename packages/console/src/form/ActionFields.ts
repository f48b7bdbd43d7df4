import type { Action } from "@leadloom/client"

/** The input of a field of an action. */
export interface ActionField {
  readonly name:
    | "to"
    | "tag"
    | "task_type"
    | "title"
    | "due_in_minutes"
    | "state"
    | "template"
    | "mode"
    | "message"
    | "sequence"
    | "field"
    | "value"
    | "body"
    | "stage"
    | "minutes"
    | "priority"
  readonly form: "text" | "long" | "number" | ReadonlyArray<string>
  readonly isOptional?: true
}

const leadStates = ["open", "engaged", "qualified", "won", "lost", "archived"]

const actionFields: Readonly<Record<string, ReadonlyArray<ActionField>>> = {
  assign: [{ name: "to", form: "text" }],
  tag: [{ name: "tag", form: "text" }],
  untag: [{ name: "tag", form: "text" }],
  set_field: [
    { name: "field", form: "text" },
    { name: "value", form: "text" }
  ],
  add_note: [{ name: "body", form: "long" }],
  move_stage: [{ name: "stage", form: "text" }],
  create_task: [
    { name: "task_type", form: ["callback", "follow_up", "review", "reply_approval"] },
    { name: "title", form: "text", isOptional: true },
    { name: "due_in_minutes", form: "number", isOptional: true },
    { name: "priority", form: ["urgent", "high", "normal", "low"], isOptional: true }
  ],
  transition: [{ name: "state", form: leadStates }],
  reply: [
    { name: "template", form: "long", isOptional: true },
    { name: "mode", form: ["draft", "auto"], isOptional: true }
  ],
  notify: [
    { name: "message", form: "long" },
    { name: "to", form: "text", isOptional: true }
  ],
  close_conversation: [],
  snooze_conversation: [{ name: "minutes", form: "number", isOptional: true }],
  start_sequence: [{ name: "sequence", form: "text" }],
  stop_sequence: [{ name: "sequence", form: "text", isOptional: true }]
}

/** Returns the fields of a type of action. */
export const fieldsOf = (type: string): ReadonlyArray<ActionField> => actionFields[type] ?? []

/** Returns an action with a changed field. An empty optional field is removed. */
export const withField = (action: Action, { isOptional, name }: ActionField, value: string | number): Action => {
  const { [name]: _, ...others } = { ...action } as Record<string, unknown>
  const next = isOptional === true && value === "" ? others : { ...others, [name]: value }
  // The fields of the type determine the names, and the server checks the values.
  return next as unknown as Action
}

/** The fields with which the types without a row above start. */
const starts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  call_webhook: { url: "", webhook_id: "" },
  crm_action: { action: "add_tag", tag: "" },
  forward: { to: [""] },
  send_template: { channel: "email", body: "" }
}

/** Returns the action with which a type starts. */
export const newAction = (type: string): Action => {
  const start = { type, ...starts[type] } as Action
  return fieldsOf(type)
    .filter(({ isOptional }) => isOptional !== true)
    .reduce(
      (action, field) => withField(action, field, typeof field.form === "string" ? "" : (field.form[0] ?? "")),
      start
    )
}
