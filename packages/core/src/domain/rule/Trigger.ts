import { Schema } from "effect"
import type { FieldEntity } from "../field/CustomField.ts"
import { leadStates } from "../lead/LeadState.ts"
import { taskTypes } from "../task/Task.ts"
import { cronFault, maxCronLength } from "../time/CronSchedule.ts"
import { TimeOfDay } from "../time/TimeOfDay.ts"
import { comparisonsOf, type Condition } from "./Condition.ts"
import { checkCalls } from "./action/CallWebhook.ts"
import { checkForwards } from "./action/Forward.ts"
import { checkSendTemplates } from "./action/SendTemplate.ts"
import { factTable } from "./Fact.ts"

/** A tag as `normalizeTag` stores it. */
const Tag = Schema.String.check(Schema.isTrimmed(), Schema.isNonEmpty(), Schema.isMaxLength(64))

/** The longest time of a trigger, in minutes. */
const yearMinutes = 525_600

const afterMinutes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: yearMinutes }))

/** The delay of a trigger that is a change. */
const delay = {
  after_minutes: Schema.optionalKey(afterMinutes).annotate({
    description: "The minutes from then until the rule runs, at most a year. Default: it runs at once"
  })
}

const LeadStateName = Schema.Literals(leadStates)

/** The id of a stage. It may be deleted while rules name it, so only its length is checked. */
const StageName = Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(64))

/** The key of a custom field. Rules are saved only if the field exists. */
const FieldKey = Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(64))

/** The records whose custom fields triggers name. */
const triggerEntities = ["contact", "lead"] as const satisfies ReadonlyArray<FieldEntity>

const fieldOfEntity = {
  entity: Schema.optionalKey(Schema.Literals(triggerEntities)).annotate({
    description: "The record with the field. Default: `contact`"
  })
}

/** A change to which a rule reacts. */
const changeTriggers = [
  Schema.Struct({
    type: Schema.Literal("lead_state_changed").annotate({
      description: "The state of a lead changes, and the lead is still in the new state when the rule runs"
    }),
    from: Schema.optionalKey(LeadStateName).annotate({ description: "The former state. Default: any state" }),
    to: Schema.optionalKey(LeadStateName).annotate({ description: "The new state. Default: any state" }),
    ...delay
  }),
  Schema.Struct({
    type: Schema.Literal("lead_stage_changed").annotate({
      description: "The stage of a lead changes, and the lead is still in the new stage when the rule runs"
    }),
    from: Schema.optionalKey(StageName).annotate({
      description: "The id of the former stage (`stg_…`). Default: any stage"
    }),
    to: Schema.optionalKey(StageName).annotate({
      description: "The id of the new stage (`stg_…`). Default: any stage"
    }),
    ...delay
  }),
  Schema.Struct({
    type: Schema.Literal("tag_added").annotate({
      description: "A contact gets the tag, and still has it when the rule runs"
    }),
    tag: Tag.annotate({ description: "The tag; at most 64 characters" }),
    ...delay
  }),
  Schema.Struct({
    type: Schema.Literal("tag_removed").annotate({
      description: "A contact loses the tag, and does not have it again when the rule runs"
    }),
    tag: Tag.annotate({ description: "The tag; at most 64 characters" }),
    ...delay
  }),
  Schema.Struct({
    type: Schema.Literal("field_changed").annotate({
      description:
        "The value of a custom field of a contact or a lead changes, and is still the new one when the rule runs"
    }),
    ...fieldOfEntity,
    field: FieldKey.annotate({ description: "The key of the custom field" }),
    ...delay
  }),
  Schema.Struct({
    type: Schema.Literal("date_reached").annotate({
      description:
        "The date in a custom field of a contact or a lead is reached, and the field still has this date when the rule runs"
    }),
    ...fieldOfEntity,
    field: FieldKey.annotate({ description: "The key of a custom field of the type date" }),
    days: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: -365, maximum: 365 }))).annotate({
      description: "The days from the date to the run, -365 to 365. -1: on the day before. Default: 0"
    }),
    at: Schema.optionalKey(TimeOfDay).annotate({
      description: "The time of the run in the tenant's time zone, `HH:MM`. Default: `09:00`"
    })
  }),
  Schema.Struct({
    type: Schema.Literal("score_reached").annotate({
      description: "The score of a lead rises from below this value, and is not below it when the rule runs"
    }),
    score: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
      description: "The lowest score that counts, 1 to 100"
    }),
    ...delay
  }),
  Schema.Struct({
    type: Schema.Literal("task_due").annotate({
      description: "The due time of a task about a contact passes, and the task is not done when the rule runs"
    }),
    task_type: Schema.optionalKey(Schema.Literals(taskTypes)).annotate({
      description: "The type of the task. Default: any type"
    }),
    ...delay
  })
] as const

/** The contact opens a link of a message. */
const linkTrigger = Schema.Struct({
  type: Schema.Literal("link_opened").annotate({
    description:
      "The contact opens a link in an email of a sequence or of `send_template` for the first time. Only with `link_tracking` of the tenant, and if the contact has not opted out. Programs that check links count too"
  }),
  sequence: Schema.optionalKey(Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(64))).annotate({
    description: "The id of the sequence (`seq_…`). Default: any sequence and rule"
  }),
  url_prefix: Schema.optionalKey(Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(2_048))).annotate({
    description: "The beginning of the URL, for example `https://acme.com/prices`. Default: any URL"
  }),
  ...delay
})

/** A trigger that is no event of a contact: time or a request starts the rule. */
const startTriggers = [
  Schema.Struct({
    type: Schema.Literal("schedule").annotate({
      description:
        "A time is reached. The rule runs for each contact of the segment that meets the condition, at most 1,000 at once, those with the latest activity first"
    }),
    cron: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxCronLength)).annotate({
      description:
        "A cron expression with five fields (minute, hour, day of the month, month, day of the week) in the tenant's time zone, at most once per hour. `0 9 * * 1`: on Mondays at 9:00"
    }),
    segment: Schema.optionalKey(Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(64))).annotate({
      description: "The id of a segment of contacts (`seg_…`). Default: all contacts that are not archived"
    })
  }),
  Schema.Struct({
    type: Schema.Literal("manual").annotate({
      description: "A person or a program starts the rule for a contact: `POST …/pipeline/rules/{rule_id}/runs`"
    })
  })
] as const

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
  }),
  ...changeTriggers,
  linkTrigger,
  ...startTriggers
]).annotate({
  identifier: "Trigger",
  description: "The event to which a rule reacts. `type` selects its fields"
})
export type Trigger = typeof Trigger.Type

/** A trigger whose rules run apart from the run of a message, as trigger runs. */
export type QueuedTrigger = Exclude<Trigger, { readonly type: "message_received" }>

/** The types of the triggers whose rules run as trigger runs. */
export const queuedTriggerTypes = [
  "no_answer",
  "unanswered",
  "lead_state_changed",
  "lead_stage_changed",
  "tag_added",
  "tag_removed",
  "field_changed",
  "date_reached",
  "score_reached",
  "task_due",
  "link_opened",
  "schedule",
  "manual"
] as const satisfies ReadonlyArray<QueuedTrigger["type"]>

/** A trigger that waits for an answer to a message. */
export type AnswerTrigger = Extract<QueuedTrigger, { readonly type: "no_answer" | "unanswered" }>

/** A trigger that is no event of a contact. */
export type StartTrigger = Extract<QueuedTrigger, { readonly type: "manual" | "schedule" }>

/** A trigger that is the opening of a link. */
export type LinkTrigger = Extract<QueuedTrigger, { readonly type: "link_opened" }>

/** A trigger that is a change. */
export type ChangeTrigger = Exclude<QueuedTrigger, AnswerTrigger | LinkTrigger | StartTrigger>

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

/** Returns the trigger of a rule that runs as trigger runs; null for a rule that reacts to messages. */
export const queuedTriggerOf = ({ trigger }: Pick<Triggered, "trigger">): QueuedTrigger | null =>
  trigger === undefined || trigger.type === "message_received" ? null : trigger

/** Returns whether a trigger waits for an answer to a message. */
export const isAnswerTrigger = (trigger: QueuedTrigger): trigger is AnswerTrigger =>
  trigger.type === "no_answer" || trigger.type === "unanswered"

/** Returns whether a trigger is no event of a contact. */
export const isStartTrigger = (trigger: QueuedTrigger): trigger is StartTrigger =>
  trigger.type === "schedule" || trigger.type === "manual"

/** Returns whether a trigger is a change. */
export const isChangeTrigger = (trigger: QueuedTrigger): trigger is ChangeTrigger =>
  !isAnswerTrigger(trigger) && !isStartTrigger(trigger) && trigger.type !== "link_opened"

/** The actions of rules that do not react to messages. The others need a message. */
export const actionsWithoutMessage: ReadonlyArray<string> = [
  "assign",
  "tag",
  "untag",
  "set_field",
  "add_note",
  "create_task",
  "transition",
  "move_stage",
  "notify",
  "crm_action",
  "close_conversation",
  "snooze_conversation",
  "start_sequence",
  "stop_sequence",
  "send_template",
  "call_webhook"
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

/**
 * Returns the errors in the actions and facts of rules: those that need a message in rules that do not react to messages,
 * and messages in those that do.
 */
export const checkTriggers = (rules: ReadonlyArray<Triggered>): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  for (const [index, rule] of rules.entries()) {
    const trigger = queuedTriggerOf(rule)
    const ofActions = [...checkSendTemplates(rule, trigger !== null), ...checkForwards(rule), ...checkCalls(rule)]
    issues.push(...ofActions.map(({ message, path }) => ({ path: `${index}.${path}`, message })))
    if (trigger === null) continue
    const fault = trigger.type === "schedule" ? cronFault(trigger.cron) : null
    if (fault !== null) issues.push({ path: `${index}.trigger.cron`, message: fault })
    issues.push(...checkFacts(rule.when, `${index}.when`, trigger.type))
    for (const [position, { type }] of rule.actions.entries()) {
      if (actionsWithoutMessage.includes(type)) continue
      const message = `The trigger ${trigger.type} does not permit the action ${type}. Use one of: ${actionsWithoutMessage.join(", ")}.`
      issues.push({ path: `${index}.actions.${position}.type`, message })
    }
  }
  return issues
}
