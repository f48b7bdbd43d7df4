import type { Rule, Trigger } from "@leadloom/client"
import { actionNames, nameOf } from "./Conditions.ts"
import { count } from "./Count.ts"
import { taskText } from "./Task.ts"

/** The texts of the rules and their editor. */
export const ruleText = {
  title: "Rules",
  help: "Leadloom evaluates the rules from top to bottom for every message.",
  empty: "There are no rules. Without rules, Leadloom only sorts and scores messages.",
  list: "Rules in order",
  tabs: { rules: "Rules", test: "Back-test", simulation: "Simulation", history: "History" },
  sentence: (when: string, then: string) => `When ${when}, then ${then}.`,
  always: "any message arrives",
  triggers: {
    no_answer: (time: string) => `the contact has not answered for ${time}`,
    unanswered: (time: string) => `nobody has answered the contact for ${time}`,
    lead_state_changed: "the state of the lead changes",
    lead_stage_changed: "the stage of the lead changes",
    tag_added: (tag: string) => `the contact gets the tag ${tag}`,
    tag_removed: (tag: string) => `the contact loses the tag ${tag}`,
    field_changed: (field: string, entity: string) => `the field ${field} of the ${entity} changes`,
    date_reached: (field: string, entity: string, days: string, time: string) =>
      `the date in ${field}${entity === "lead" ? " of the lead" : ""} is reached (${days}${time})`,
    link_opened: (url: string) => `the contact opens a link${url === "" ? "" : ` to ${url}…`}`,
    score_reached: (score: number) => `the score of the lead rises to ${score}`,
    task_due: "a task is due",
    schedule: (cron: string) => `the schedule ${cron} fires for the contact`,
    manual: "somebody starts the rule for the contact"
  },
  fromPlace: (name: string) => ` from ${name}`,
  toPlace: (name: string) => ` to ${name}`,
  daysBefore: "before",
  daysAfter: "after",
  ofType: (type: string) => ` (${type})`,
  delayed: (trigger: string, time: string) => `${trigger}, ${time} later`,
  triggered: (trigger: string) => `Trigger: ${trigger}. Edit it as JSON.`,
  both: (trigger: string, condition: string) => `${trigger} and ${condition}`,
  version: (version: number) => `Version ${version}`,
  actions: {
    add: "Add a rule",
    edit: (name: string) => `Edit ${name}`,
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    remove: (name: string) => `Remove ${name}`,
    enable: (name: string) => `${name} is on`,
    on: "On",
    off: "Off",
    done: "Close the editor"
  },
  newName: "New rule",
  editor: (name: string) => `Rule ${name}`,
  name: "Name",
  conditions: "When",
  consequences: "Then",
  views: { sentences: "Sentences", json: "JSON" },
  group: "Conditions of this group",
  groups: {
    all: "all of these are true",
    any: "at least one of these is true",
    not: "this is not true"
  },
  addCondition: "Add a condition",
  addGroup: "Add a group",
  removeCondition: "Remove the condition",
  removeGroup: "Remove the group",
  fact: "Fact",
  factGroups: {
    message: "Message",
    authentication: "Authentication of the sender",
    classification: "Classification",
    score: "Score",
    contact: "Contact",
    company: "Company",
    lead: "Lead",
    conversation: "Conversation",
    time: "Time"
  },
  otherFact: "Another fact",
  needsMessage: (fact: string) => `${fact} (only for rules about messages)`,
  factName: "Name of the fact",
  operator: "Operator",
  value: "Value",
  values: "Values, one per line",
  from: "From",
  to: "To",
  truth: { true: "yes", false: "no" },
  action: "Action",
  inJson: "This action has more fields. Edit them as JSON.",
  json: "Rule as JSON",
  invalidJson: (reason: string) => `This is not a valid rule: ${reason}`,
  missingFields: "id, name, priority, when and actions are needed.",
  applyJson: "Use this JSON",
  tryOut: "Try the rules",
  tryHelp:
    "Decides about a message with the rules as they are in this editor, each time you change them. Nothing is stored or sent. The message counts as the first one of a lead.",
  chooseMessage: "A recent message",
  noMessage: "None",
  pasted: "Or a text of your own",
  channel: "Channel",
  tryText: "Try this text",
  trying: "Deciding…",
  triedActions: (actions: string) => `Actions: ${actions}.`,
  triedReply: "Reply:",
  noActions: "No action.",
  backtestHelp:
    "Decides about the messages of the last 90 days again, with the saved rules and with the rules of this editor, and lists the differences. Nothing is stored or sent.",
  backtest: "Start the back-test",
  testing: "Deciding about the messages of the last 90 days…",
  stop: "Stop",
  examined: (examined: number, changed: number) =>
    `${count(examined, "message was", "messages were")} decided again. ${count(changed, "decision changes", "decisions change")}.`,
  more: "The period has more messages; the newest ones were examined.",
  skipped: (number: number) =>
    `${count(number, "message was", "messages were")} skipped, because stored inputs or an answer of the model are missing.`,
  unchanged: "No decision changes.",
  outdated: "The rules have changed since this back-test. Start it again.",
  changes: "Changes",
  change: "Change",
  before: "Before",
  after: "After",
  messages: "Messages",
  examples: "Examples",
  exampleOf: (name: string) => `Message of ${name}`,
  erasedExample: "The message was erased.",
  openDecision: "Open the decision",
  closeExample: "Close",
  ruleMatches: (name: string) => `Messages that match “${name}”`,
  actionRequested: (type: string) => `Action: ${nameOf(actionNames, type)}`,
  moves: { intents: "Intent", tiers: "Tier", replies: "Reply" },
  replies: { none: "no reply", held: "waits for approval", released: "sent automatically", blocked: "blocked" },
  rewritten: "Reply with another text",
  none: "none",
  unsaved: "You have unsaved changes.",
  comment: "Why do you change the rules?",
  commentHint: "Needed to save. The history shows it.",
  save: "Save as a new version",
  saving: "Saving…",
  saved: (version: number) => `Saved as version ${version}.`,
  discard: "Discard the changes",
  conflict: (version: number) =>
    `Another person has saved version ${version} meanwhile. Nothing was overwritten, and your changes are still here.`,
  conflictDiff: "The rules of the other person, compared with those that you started from",
  keepMine: "Continue with my rules",
  takeTheirs: "Discard mine and load the new version"
} as const

const times = [
  [1_440, "day", "days"],
  [60, "hour", "hours"]
] as const

/** Returns a number of minutes in the greatest unit that divides it. */
const timeText = (minutes: number): string => {
  const [size, one, other] = times.find(([each]) => minutes % each === 0) ?? [1, "minute", "minutes"]
  return count(minutes / size, one, other)
}

type QueuedTrigger = Exclude<Trigger, { readonly type: "message_received" }>
type ChangeTrigger = Exclude<
  QueuedTrigger,
  { readonly type: "link_opened" | "manual" | "no_answer" | "schedule" | "unanswered" }
>

const placesText = ({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): string =>
  (from === undefined ? "" : ruleText.fromPlace(from)) + (to === undefined ? "" : ruleText.toPlace(to))

const daysText = (days = 0): string =>
  days === 0 ? "" : `${count(Math.abs(days), "day", "days")} ${days < 0 ? ruleText.daysBefore : ruleText.daysAfter}, `

const changeText = (trigger: ChangeTrigger): string => {
  switch (trigger.type) {
    case "lead_state_changed":
    case "lead_stage_changed":
      return ruleText.triggers[trigger.type] + placesText(trigger)
    case "tag_added":
    case "tag_removed":
      return ruleText.triggers[trigger.type](trigger.tag)
    case "field_changed":
      return ruleText.triggers[trigger.type](trigger.field, trigger.entity ?? "contact")
    case "date_reached":
      return ruleText.triggers.date_reached(
        trigger.field,
        trigger.entity ?? "contact",
        daysText(trigger.days),
        trigger.at ?? "09:00"
      )
    case "score_reached":
      return ruleText.triggers[trigger.type](trigger.score)
    case "task_due":
      return (
        ruleText.triggers.task_due +
        (trigger.task_type === undefined ? "" : ruleText.ofType(nameOf(taskText.types, trigger.task_type)))
      )
  }
}

const queuedText = (trigger: QueuedTrigger): string => {
  if (trigger.type === "no_answer" || trigger.type === "unanswered")
    return ruleText.triggers[trigger.type](timeText(trigger.after_minutes))
  if (trigger.type === "schedule") return ruleText.triggers.schedule(trigger.cron)
  if (trigger.type === "manual") return ruleText.triggers.manual
  const changed =
    trigger.type === "link_opened" ? ruleText.triggers.link_opened(trigger.url_prefix ?? "") : changeText(trigger)
  const minutes = trigger.type === "date_reached" ? undefined : trigger.after_minutes
  return minutes === undefined ? changed : ruleText.delayed(changed, timeText(minutes))
}

/** Returns the trigger of a rule as a part of a sentence. Empty: the rule reacts to messages. */
export const triggerText = ({ trigger }: Pick<Rule, "trigger">): string =>
  trigger === undefined || trigger.type === "message_received" ? "" : queuedText(trigger)
