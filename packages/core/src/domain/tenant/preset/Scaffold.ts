import type { Guardrail } from "../../guardrail/Guardrail.ts"
import type { Condition } from "../../rule/Condition.ts"
import type { Action, Rule } from "../../rule/Rule.ts"
import type { TenantConfig } from "../TenantConfig.ts"

/** A configuration to start from. */
export interface Scaffold {
  readonly name: string
  readonly title: string
  /** One or two sentences for who has to choose. */
  readonly description: string
  /** What has to be known or done beside the configuration. */
  readonly notes: ReadonlyArray<string>
  readonly config: TenantConfig
}

/** The message or its subject holds one of these, as whole words. */
export const says = (...phrases: ReadonlyArray<string>): Condition => ({
  any: phrases.flatMap((value): ReadonlyArray<Condition> => [
    { fact: "message.text", op: "has_word", value },
    { fact: "message.subject", op: "has_word", value }
  ])
})

/** The message is about one of these. */
export const isAbout = (...intents: ReadonlyArray<string>): Condition => ({
  fact: "classification.intent",
  op: "in",
  value: intents
})

/** A reply that greets by name and ends with the name of the business. */
export const reply = (...paragraphs: ReadonlyArray<string>): Action => ({
  type: "reply",
  template: [
    "Hello {{ contact.first_name | default: 'there' }},",
    ...paragraphs,
    "Kind regards\n{{ tenant.name }}"
  ].join("\n\n")
})

/** A task for a person. */
export const task = (kind: "callback" | "follow_up" | "review", title: string, minutes: number): Action => ({
  type: "create_task",
  task_type: kind,
  title,
  due_in_minutes: minutes
})

/** A tag on the contact. */
export const tag = (name: string): Action => ({ type: "tag", tag: name })

/** A person answers, and nothing else happens. */
export const byHand: ReadonlyArray<Action> = [{ type: "suppress_reply" }, { type: "stop" }]

/** Comes first in every business: who wants to hear nothing more, who sells, and who is angry. */
export const everyBusiness: ReadonlyArray<Rule> = [
  {
    id: "opt_out",
    name: "Who opts out hears nothing more",
    priority: 0,
    when: isAbout("unsubscribe"),
    actions: [tag("do_not_contact"), { type: "suppress_reply" }, { type: "stop" }]
  },
  {
    id: "spam",
    name: "Offers from sellers are left alone",
    priority: 1,
    when: isAbout("spam"),
    actions: [tag("spam"), { type: "suppress_reply" }, { type: "stop" }]
  },
  {
    id: "complaint",
    name: "A person answers complaints",
    priority: 5,
    when: { all: [isAbout("complaint"), { fact: "classification.sentiment", op: "neq", value: "positive" }] },
    actions: [tag("complaint"), task("callback", "Call back about a complaint", 60), { type: "suppress_reply" }]
  }
]

/** Guardrails that every business has: nights, and no more than a few replies a day. */
export const everyGuardrail = (from: string, to: string, replies: number): ReadonlyArray<Guardrail> => [
  { id: "nights", kind: "quiet_hours", from, to },
  { id: "few_replies", kind: "max_replies_per_contact_per_day", max: replies }
]
