import { Schema } from "effect"
import { comparisonsOf, type Condition } from "./Condition.ts"
import { factTable } from "./Fact.ts"

/** The longest time of a trigger, in minutes. */
const yearMinutes = 525_600

const afterMinutes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: yearMinutes }))

/** The event to which a rule reacts. */
export const Trigger = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("message_received").annotate({ description: "A message of a contact arrives" })
  }),
  Schema.Struct({
    type: Schema.Literal("no_answer").annotate({
      description: "Our side wrote last, and the contact has not written since for this time"
    }),
    after_minutes: afterMinutes.annotate({ description: "The minutes since our message, at most a year" })
  }),
  Schema.Struct({
    type: Schema.Literal("unanswered").annotate({
      description: "The contact waits for an answer of our side for this time"
    }),
    after_minutes: afterMinutes.annotate({
      description: "The minutes since the contact's first message without an answer, at most a year"
    })
  })
]).annotate({
  identifier: "Trigger",
  description: "The event to which a rule reacts. `type` selects its fields"
})
export type Trigger = typeof Trigger.Type

/** A trigger that waits for a time. */
export type TimeTrigger = Exclude<Trigger, { readonly type: "message_received" }>

/** The types of the triggers that wait for a time. */
export const timeTriggerTypes = ["no_answer", "unanswered"] as const satisfies ReadonlyArray<TimeTrigger["type"]>

/** The parts of a rule that its trigger concerns. */
interface Triggered {
  readonly trigger?: Trigger
  readonly when: Condition
  readonly actions: ReadonlyArray<{ readonly type: string }>
}

/** A reason why a rule cannot be saved, as `RuleIssue`. */
interface Issue {
  readonly path: string
  readonly message: string
}

/** Returns the trigger of a rule that waits for a time; null for a rule that reacts to messages. */
export const timeTriggerOf = ({ trigger }: Pick<Triggered, "trigger">): TimeTrigger | null =>
  trigger === undefined || trigger.type === "message_received" ? null : trigger

/** The actions of rules that wait for a time. The others need a message. */
export const actionsWithoutMessage: ReadonlyArray<string> = [
  "assign",
  "tag",
  "create_task",
  "transition",
  "notify",
  "crm_action",
  "start_sequence",
  "stop_sequence"
]

/** Returns whether a fact is about the message that a rule without a message does not have. */
const needsMessage = (fact: string): boolean =>
  /^(?:message|classification|metadata)\./u.test(fact) || fact === "contact.is_new" || fact === "lead.is_new"

/** The facts that rules with any trigger can compare. */
export const factsWithoutMessage: ReadonlyArray<string> = Object.keys(factTable).filter((fact) => !needsMessage(fact))

const checkFacts = (condition: Condition, path: string, type: string): ReadonlyArray<Issue> => {
  const facts = new Set(comparisonsOf(condition).map(({ fact }) => fact))
  return [...facts].filter(needsMessage).map((fact) => ({
    path,
    message: `The trigger ${type} has no message, so ${fact} is missing. Compare facts of the contact, the lead or the time.`
  }))
}

/** Returns the errors in rules that wait for a time: actions and facts that need a message. */
export const checkTriggers = (rules: ReadonlyArray<Triggered>): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  for (const [index, rule] of rules.entries()) {
    const trigger = timeTriggerOf(rule)
    if (trigger === null) continue
    issues.push(...checkFacts(rule.when, `${index}.when`, trigger.type))
    for (const [position, { type }] of rule.actions.entries()) {
      if (actionsWithoutMessage.includes(type)) continue
      const message = `The trigger ${trigger.type} does not permit the action ${type}. Use one of: ${actionsWithoutMessage.join(", ")}.`
      issues.push({ path: `${index}.actions.${position}.type`, message })
    }
  }
  return issues
}
