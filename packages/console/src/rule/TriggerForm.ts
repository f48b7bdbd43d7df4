import type { Rule, Trigger } from "@leadloom/client"
import type { triggerFormText } from "../text/rule/Triggers.ts"

/** The input of a field of a trigger. */
export interface TriggerField {
  readonly name: keyof typeof triggerFormText.fields
  readonly form: "text" | "number" | "segment" | "sequence" | ReadonlyArray<string>
  readonly isOptional?: true
  /** The meaning of an empty value among options. Default: any. */
  readonly empty?: "contact"
}

const leadStates = ["open", "engaged", "qualified", "won", "lost", "archived"]

const minutes: TriggerField = { name: "after_minutes", form: "number" }
const later: TriggerField = { ...minutes, isOptional: true }

const entity: TriggerField = { name: "entity", form: ["lead"], isOptional: true, empty: "contact" }

const triggerFields: Readonly<Record<string, ReadonlyArray<TriggerField>>> = {
  message_received: [],
  no_answer: [minutes],
  unanswered: [minutes],
  lead_state_changed: [
    { name: "from", form: leadStates, isOptional: true },
    { name: "to", form: leadStates, isOptional: true },
    later
  ],
  lead_stage_changed: [
    { name: "from", form: "text", isOptional: true },
    { name: "to", form: "text", isOptional: true },
    later
  ],
  tag_added: [{ name: "tag", form: "text" }, later],
  tag_removed: [{ name: "tag", form: "text" }, later],
  field_changed: [entity, { name: "field", form: "text" }, later],
  date_reached: [
    entity,
    { name: "field", form: "text" },
    { name: "days", form: "number", isOptional: true },
    { name: "at", form: "text", isOptional: true }
  ],
  score_reached: [{ name: "score", form: "number" }, later],
  task_due: [
    { name: "task_type", form: ["callback", "follow_up", "review", "reply_approval"], isOptional: true },
    later
  ],
  link_opened: [
    { name: "sequence", form: "sequence", isOptional: true },
    { name: "url_prefix", form: "text", isOptional: true },
    later
  ],
  schedule: [
    { name: "cron", form: "text" },
    { name: "segment", form: "segment", isOptional: true }
  ],
  manual: []
}

/** The values with which the required fields of a new trigger start. */
const starts: Readonly<Record<string, string | number>> = { after_minutes: 1_440, cron: "0 9 * * 1", score: 70 }

/** Returns the fields of a type of trigger; null for a type without a form, which is edited as JSON. */
export const fieldsOf = (type: string): ReadonlyArray<TriggerField> | null => triggerFields[type] ?? null

/** Returns a trigger with a changed field. An empty optional field is removed. */
export const withField = (trigger: Trigger, { isOptional, name }: TriggerField, value: string | number): Trigger => {
  const { [name]: _, ...others } = { ...trigger } as Record<string, unknown>
  const next = isOptional === true && value === "" ? others : { ...others, [name]: value }
  // The fields of the type determine the names, and the server checks the values.
  return next as unknown as Trigger
}

/** Returns the type of the trigger of a rule. */
export const triggerTypeOf = ({ trigger }: Pick<Rule, "trigger">): Trigger["type"] =>
  trigger?.type ?? "message_received"

const newTrigger = (type: string): Trigger =>
  (fieldsOf(type) ?? [])
    .filter(({ isOptional }) => isOptional !== true)
    .reduce<Trigger>((trigger, field) => withField(trigger, field, starts[field.name] ?? ""), { type } as Trigger)

const isUnfilled = ({ when }: Rule): boolean => {
  const [only, ...others] = "all" in when ? when.all : []
  return (
    only !== undefined && others.length === 0 && "fact" in only && only.fact === "message.text" && only.value === ""
  )
}

/**
 * Returns a rule with another trigger. The condition with which a new rule starts is about a message, so a rule without
 * one loses it.
 */
export const withTriggerType = (rule: Rule, type: string): Rule => {
  const { trigger: _, ...others } = rule
  if (type === "message_received") return others
  return { ...others, trigger: newTrigger(type), ...(isUnfilled(rule) ? { when: { all: [] } } : {}) }
}
