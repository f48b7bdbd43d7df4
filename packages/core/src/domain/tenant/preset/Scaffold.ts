import type { Guardrail } from "../../guardrail/Guardrail.ts"
import type { Condition } from "../../rule/Condition.ts"
import type { Action, Rule } from "../../rule/Rule.ts"
import type { TenantConfig } from "../TenantConfig.ts"

/** A preset: a starting configuration for one trade. */
export interface Scaffold {
  readonly name: string
  readonly title: string
  /** One or two sentences that help users to choose a preset. */
  readonly description: string
  /** Requirements and steps that the configuration cannot contain. */
  readonly notes: ReadonlyArray<string>
  readonly config: TenantConfig
}

/**
 * Builds a condition that holds when the text or the subject of the message contains one of the phrases as whole words.
 */
export const says = (...phrases: ReadonlyArray<string>): Condition => ({
  any: phrases.flatMap((value): ReadonlyArray<Condition> => [
    { fact: "message.text", op: "has_word", value },
    { fact: "message.subject", op: "has_word", value }
  ])
})

/**
 * Builds a condition that does not hold when the classifier found the message not to be urgent. It prevents an emergency
 * that the sender negates ("no swelling") or that is over. Without a classification it holds.
 */
export const mayBeUrgent: Condition = {
  not: { fact: "classification.urgency", op: "in", value: ["low", "medium"] }
}

/** Builds a condition that holds when the message has one of these intents. */
export const isAbout = (...intents: ReadonlyArray<string>): Condition => ({
  fact: "classification.intent",
  op: "in",
  value: intents
})

/** Builds an action that replies with these paragraphs, between a greeting by name and the name of the business. */
export const reply = (...paragraphs: ReadonlyArray<string>): Action => ({
  type: "reply",
  template: [
    "Hello {{ contact.first_name | default: 'there' }},",
    ...paragraphs,
    "Kind regards\n{{ tenant.name }}"
  ].join("\n\n")
})

/** Builds an action that creates a task. */
export const task = (kind: "callback" | "follow_up" | "review", title: string, minutes: number): Action => ({
  type: "create_task",
  task_type: kind,
  title,
  due_in_minutes: minutes
})

/** Builds an action that adds a tag to the contact. */
export const tag = (name: string): Action => ({ type: "tag", tag: name })

/** Actions that suppress the reply, so that a person answers, and stop the evaluation of rules. */
export const byHand: ReadonlyArray<Action> = [{ type: "suppress_reply" }, { type: "stop" }]

/** The first rules of every preset. They handle opt-outs, sales offers to the business, and complaints. */
export const everyBusiness: ReadonlyArray<Rule> = [
  {
    id: "opt_out",
    name: "Opt-outs get no reply",
    priority: 0,
    when: isAbout("unsubscribe"),
    actions: [tag("do_not_contact"), { type: "suppress_reply" }, { type: "stop" }]
  },
  {
    id: "spam",
    name: "Offers from sellers get no reply",
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

/**
 * Creates the guardrails that every preset has: quiet hours between `from` and `to`, and at most `replies` replies to
 * one contact in 24 hours.
 */
export const everyGuardrail = (from: string, to: string, replies: number): ReadonlyArray<Guardrail> => [
  { id: "nights", kind: "quiet_hours", from, to },
  { id: "few_replies", kind: "max_replies_per_contact_per_day", max: replies }
]
