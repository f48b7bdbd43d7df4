/**
 * Rules of tenants: facts, conditions, actions, their compilation and evaluation within a budget. Executing actions
 * belongs to `workflow/action`.
 * Tests: `packages/core/test/domain/rule`, `packages/core/test/domain/budget`.
 */
import { Schema } from "effect"
import { FieldValue } from "../field/FieldValues.ts"
import { leadStates } from "../lead/LeadState.ts"
import { type Comparison, Condition, maxConditionDepth, maxConditionNodes } from "./Condition.ts"
import { CloseConversation, SnoozeConversation } from "./action/ConversationAction.ts"
import { CallWebhook } from "./action/CallWebhook.ts"
import { Forward } from "./action/Forward.ts"
import { SendTemplate } from "./action/SendTemplate.ts"
import { CrmRuleAction } from "./CrmRuleAction.ts"
import { checkComparison, type ComparisonIssue } from "./CheckComparison.ts"
import { factTable } from "./Fact.ts"
import { strategies } from "../user/ChooseMember.ts"
import { taskPriorities } from "../task/Task.ts"
import { closestName } from "../text/ClosestName.ts"
import { checkTriggers, queuedTriggerOf, Trigger } from "./Trigger.ts"

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

/** An action of a matched rule. */
export const Action = Schema.Union([
  /** Assigns the lead and the conversation to a user or a team, or the lead to a named person. */
  Schema.Struct({
    type: Schema.Literal("assign").annotate({
      description: "Assigns the lead and the conversation to a user or a team, or the lead to a named person"
    }),
    to: text(200).annotate({
      description:
        "The id of a user (`usr_…`) or of a team (`team_…`). Any other text is the name or address of a person without a user"
    }),
    strategy: Schema.optionalKey(Schema.Literals(strategies)).annotate({
      description:
        "With a team: chooses an active member in turn (`round_robin`) or the one with the fewest open leads, conversations and tasks in total (`least_loaded`). Work that an active member of the team already has stays with this member. Default: the team without a member"
    }),
    at_work: Schema.optionalKey(Schema.Boolean).annotate({
      description: "With a strategy: true chooses only members who are within their working hours. Default: false"
    })
  }),
  /** Adds a tag to the contact. */
  Schema.Struct({
    type: Schema.Literal("tag").annotate({ description: "Adds a tag to the contact" }),
    tag: text(64).annotate({ description: "The tag; at most 64 characters" })
  }),
  /** Removes a tag from the contact. */
  Schema.Struct({
    type: Schema.Literal("untag").annotate({ description: "Removes a tag from the contact" }),
    tag: text(64).annotate({ description: "The tag; at most 64 characters" })
  }),
  /** Sets a custom field of the contact or the lead. */
  Schema.Struct({
    type: Schema.Literal("set_field").annotate({ description: "Sets a custom field of the contact or the lead" }),
    entity: Schema.optionalKey(Schema.Literals(["contact", "lead"])).annotate({
      description: "The record that has the field. Default: `contact`"
    }),
    field: text(64).annotate({ description: "The key of the custom field" }),
    value: Schema.NullOr(FieldValue).annotate({
      description: "The value, in the type of the field; a text is no template. Null removes the value"
    })
  }),
  /** Writes a private note. */
  Schema.Struct({
    type: Schema.Literal("add_note").annotate({ description: "Writes a private note about the conversation" }),
    body: text(10_000).annotate({
      description: "A template of the note, for example `Asked about {{ message.subject }}`. It mentions no one"
    })
  }),
  /** Creates a task. */
  Schema.Struct({
    type: Schema.Literal("create_task").annotate({
      description: "Creates a task for a person"
    }),
    task_type: Schema.Literals(["reply_approval", "callback", "follow_up", "review"]).annotate({
      description: "The type of the task"
    }),
    title: Schema.optionalKey(text(200)).annotate({
      description: "The title of the task. Default: the type of the task and the name of the contact"
    }),
    /** Minutes from now, at most a year. */
    due_in_minutes: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 525_600 }))).annotate({
      description: "The due time in minutes from now, at most a year. Default: no due time"
    }),
    priority: Schema.optionalKey(Schema.Literals(taskPriorities)).annotate({
      description: "The priority of the task. Default: normal"
    }),
    unless_open: Schema.optionalKey(Schema.Boolean).annotate({
      description:
        "Whether the action is skipped while the contact has an unfinished task of the same type with the same title. Default: false"
    })
  }),
  /** Changes the state of the lead if the transition is allowed. */
  Schema.Struct({
    type: Schema.Literal("transition").annotate({
      description: "Changes the state of the lead if the transition is allowed"
    }),
    state: Schema.Literals(leadStates).annotate({ description: "The new state" })
  }),
  /** Moves the lead to a stage of a pipeline if the transition of its state is allowed. */
  Schema.Struct({
    type: Schema.Literal("move_stage").annotate({
      description: "Moves the lead to a stage of a pipeline if the transition of its state is allowed"
    }),
    stage: text(64).annotate({ description: "The id of the stage (`stg_…`)" })
  }),
  /**
   * Replies with a template; without one, by the tenant's default method. `mode` replaces the tenant's reply mode for
   * this reply.
   */
  Schema.Struct({
    type: Schema.Literal("reply").annotate({
      description: "Replies with the template; without one, with the tenant's default method"
    }),
    template: Schema.optionalKey(text(10_000)).annotate({
      description: "A Liquid template with the facts of the message, for example `{{ contact.first_name }}`"
    }),
    mode: Schema.optionalKey(Schema.Literals(["draft", "auto"])).annotate({
      description: "Replaces the tenant's reply mode for this reply"
    })
  }),
  /** Notifies partner applications with the outbound event `rule.notified`. */
  Schema.Struct({
    type: Schema.Literal("notify").annotate({
      description: "Notifies partner applications with the outbound event `rule.notified`"
    }),
    /** A template of the message. */
    message: text(2_000).annotate({ description: "A template of the message" }),
    /** The recipient, as the receiving application names it: a name, an address or a channel. */
    to: Schema.optionalKey(text(200)).annotate({
      description: "The recipient, as the receiving application names it: a name, an address or a channel"
    })
  }),
  /** Queues a job that changes the contact in the tenant's CRM. */
  CrmRuleAction,
  CloseConversation,
  SnoozeConversation,
  /** Enrols the contact in a sequence. */
  Schema.Struct({
    type: Schema.Literal("start_sequence").annotate({
      description: "Enrols the contact in a sequence, unless it is in the sequence or has opted out"
    }),
    sequence: text(64).annotate({ description: "The id of the sequence (`seq_…`)" })
  }),
  /** Stops the contact in sequences. */
  Schema.Struct({
    type: Schema.Literal("stop_sequence").annotate({
      description: "Stops the running enrolments of the contact in a sequence, or in all sequences"
    }),
    sequence: Schema.optionalKey(text(64)).annotate({
      description: "The id of the sequence (`seq_…`). Default: all sequences"
    })
  }),
  SendTemplate,
  Forward,
  CallWebhook,
  /** Suppresses the reply to the message, even if other rules request one. */
  Schema.Struct({
    type: Schema.Literal("suppress_reply").annotate({
      description: "Suppresses the reply to the message, even if other rules request one"
    })
  }),
  /** Prevents the evaluation of later rules. */
  Schema.Struct({ type: Schema.Literal("stop").annotate({ description: "Prevents the evaluation of later rules" }) })
]).annotate({ identifier: "Action", description: "An action of a matched rule. `type` selects its fields" })
export type Action = typeof Action.Type

/** The text of a rendered template, or the reason why rendering failed. */
export type Rendered = { readonly text: string } | { readonly failure: string }

/** An action that a matched rule requests. */
export interface RequestedAction {
  readonly ruleId: string
  readonly action: Action
  /**
   * The rendered template of the action. Absent if the action has no template, and as long as the rest of the decision
   * is not complete.
   */
  readonly rendered?: Rendered
}

/** One rule of a tenant. */
export const Rule = Schema.Struct({
  id: text(64).annotate({ description: "A name that is unique within the tenant; at most 64 characters" }),
  name: text(200).annotate({ description: "A name for people, shown in runs and reports" }),
  /** Lower numbers run first. Rules with equal priority run in the order of the list. */
  priority: Schema.Int.annotate({
    description: "Lower numbers run first. Rules with equal priority run in the order of the list"
  }),
  /** The default is true. */
  enabled: Schema.optionalKey(Schema.Boolean).annotate({ description: "Whether the rule is evaluated. Default: true" }),
  /** Absent: the rule reacts to messages. */
  trigger: Schema.optionalKey(Trigger).annotate({
    description: "The event to which the rule reacts. Default: `message_received`"
  }),
  when: Condition.pipe(Schema.annotateKey({ description: "The condition that a message must meet" })),
  actions: Schema.NonEmptyArray(Action)
    .check(Schema.isMaxLength(20))
    .annotate({ description: "1 to 20 actions, carried out in this order" })
}).annotate({ identifier: "Rule", description: "A condition on messages and the actions for those that meet it" })
export type Rule = typeof Rule.Type

/** Returns true for an enabled rule. */
export const isEnabled = (rule: Rule): boolean => rule.enabled !== false

/** Returns the rules that react to messages. Only they take part in the run of a message. */
export const messageRulesOf = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> =>
  rules.filter((rule) => queuedTriggerOf(rule) === null)

/**
 * Returns the indices of all rules in running order: by priority, then in the order of the list. Disabled rules are
 * included.
 */
export const runningOrder = (rules: ReadonlyArray<Rule>): ReadonlyArray<number> =>
  rules
    .map((rule, index) => ({ priority: rule.priority, index }))
    .toSorted((a, b) => a.priority - b.priority || a.index - b.index)
    .map((place) => place.index)

/** The maximum number of rules of one tenant. */
export const maxRules = 200

/** The maximum number of rules of one tenant with another trigger than messages. A cause adds a row for each of them. */
export const maxQueuedRules = 50

/** A reason why rules cannot be saved. */
export interface RuleIssue {
  /** The path of the invalid part, for example `0.when.all.1.value`. Empty for the whole list. */
  readonly path: string
  readonly message: string
  /** The unknown name of a fact, for which a similar name is searched. */
  readonly unknownFact?: string
}

/** Returns the result of a condition that has the same result for all facts. Returns null for other conditions. */
const constantOf = (condition: Condition): boolean | null => {
  if ("all" in condition) {
    const parts = condition.all.map(constantOf)
    return parts.includes(false) ? false : parts.includes(null) ? null : true
  }
  if ("any" in condition) {
    const parts = condition.any.map(constantOf)
    return parts.includes(true) ? true : parts.includes(null) ? null : false
  }
  if ("not" in condition) {
    const part = constantOf(condition.not)
    return part === null ? null : !part
  }
  return null
}

const childrenOf = (condition: Condition): ReadonlyArray<readonly [name: string, child: Condition]> => {
  if ("all" in condition) return condition.all.map((child, index) => [`all.${index}`, child])
  if ("any" in condition) return condition.any.map((child, index) => [`any.${index}`, child])
  return "not" in condition ? [["not", condition.not]] : []
}

/**
 * Counts the comparisons and branches of a condition. The condition must have passed `checkCondition`, which limits its
 * depth.
 */
export const countNodes = (condition: Condition): number =>
  childrenOf(condition).reduce((sum, [, child]) => sum + countNodes(child), 1)

/**
 * Returns the errors in the condition of one rule. Uses an explicit stack, so a deep condition cannot exhaust the call
 * stack. `rootPath` is the prefix of all paths. `check` finds the invalid part of a comparison.
 */
export const checkCondition = (
  root: Condition,
  rootPath: string,
  check: (comparison: Comparison) => ComparisonIssue | null = checkComparison
): ReadonlyArray<RuleIssue> => {
  const issues: Array<RuleIssue> = []
  const open = [{ condition: root, path: rootPath, depth: 1 }]
  let nodes = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { condition, path, depth } = next
    nodes++
    if (nodes > maxConditionNodes) {
      return [
        {
          path: rootPath,
          message: `The rule has more than ${maxConditionNodes} conditions. Split it into several rules.`
        }
      ]
    }
    if (depth > maxConditionDepth) {
      issues.push({ path, message: `Conditions can be nested at most ${maxConditionDepth} levels deep.` })
      continue
    }
    if ("fact" in condition) {
      const wrong = check(condition)
      if (wrong !== null) {
        const unknown = wrong.part === "fact" ? { unknownFact: condition.fact } : {}
        issues.push({ path: `${path}.${wrong.part}`, message: wrong.message, ...unknown })
      }
    }
    if ("any" in condition && condition.any.length === 0) {
      issues.push({ path: `${path}.any`, message: `An empty "any" never holds. Add a condition.` })
    }
    const children = childrenOf(condition).toReversed()
    for (const [name, child] of children) open.push({ condition: child, path: `${path}.${name}`, depth: depth + 1 })
  }
  return issues
}

const textOf = (condition: Condition): string => JSON.stringify(condition)
const conjuncts = (condition: Condition): ReadonlyArray<Condition> =>
  "all" in condition ? condition.all.flatMap(conjuncts) : [condition]
const disjuncts = (condition: Condition): ReadonlyArray<Condition> =>
  "any" in condition ? condition.any.flatMap(disjuncts) : [condition]

/**
 * A rule with the action `stop`. `alternatives` lists the alternatives of its condition, each as the list of its parts.
 * An alternative holds if all its parts hold.
 */
interface Stopper {
  readonly id: string
  readonly always: boolean
  readonly alternatives: ReadonlyArray<ReadonlyArray<string>>
}

/**
 * Returns an issue for each rule that can never run, because an earlier rule with `stop` matches every message that it
 * would match. Three cases are detected: the earlier condition always holds, it equals the later condition, or it is a
 * part of the later condition.
 */
const unreachable = (rules: ReadonlyArray<Rule>): ReadonlyArray<RuleIssue> => {
  const issues: Array<RuleIssue> = []
  const stoppers: Array<Stopper> = []
  for (const index of runningOrder(rules)) {
    const rule = rules[index]
    if (rule === undefined || !isEnabled(rule) || queuedTriggerOf(rule) !== null) continue
    const requested = new Set(conjuncts(rule.when).map(textOf))
    const before = stoppers.find(
      ({ alternatives, always }) => always || alternatives.some((parts) => parts.every((part) => requested.has(part)))
    )
    if (before !== undefined) {
      const when = before.always ? "always ends the evaluation" : "ends the evaluation for the same messages"
      issues.push({
        path: String(index),
        message: `This rule never runs, because the earlier rule "${before.id}" ${when}.`
      })
    } else if (rule.actions.some((action) => action.type === "stop")) {
      const alternatives = disjuncts(rule.when).map((alternative) => conjuncts(alternative).map(textOf))
      stoppers.push({ id: rule.id, always: constantOf(rule.when) === true, alternatives })
    }
  }
  return issues
}

/** The maximum number of issues with a similar name, because the search takes time and responses list few issues. */
const maxSuggestions = 20

const factNames = Object.keys(factTable)

const withSuggestion = ({ message, path, unknownFact }: RuleIssue, index: number): RuleIssue => {
  const closest = unknownFact === undefined || index >= maxSuggestions ? null : closestName(unknownFact, factNames)
  return { path, message: closest === null ? message : `${message} Did you mean ${closest}?` }
}

/**
 * Returns all errors in a list of rules. Empty when the list can be saved. The port `ReplyTemplates` checks templates
 * separately.
 */
export const checkRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<RuleIssue> => {
  if (rules.length > maxRules) return [{ path: "", message: `The maximum is ${maxRules} rules.` }]
  if (rules.length - messageRulesOf(rules).length > maxQueuedRules) {
    const message = `The maximum is ${maxQueuedRules} rules with another trigger than message_received.`
    return [{ path: "", message }]
  }
  const issues = rules.flatMap((rule, index) => checkCondition(rule.when, `${index}.when`))
  if (issues.length > 0) return issues.map(withSuggestion)
  const seen = new Set<string>()
  const duplicates: Array<RuleIssue> = []
  for (const [index, rule] of rules.entries()) {
    if (seen.has(rule.id))
      duplicates.push({ path: `${index}.id`, message: `The id "${rule.id}" is used twice. Choose another id.` })
    seen.add(rule.id)
  }
  return [...duplicates, ...checkTriggers(rules), ...unreachable(rules)]
}
