import type { ContactId, MessageId } from "../Id.ts"
import type { TrackedLink } from "../link/TrackedLink.ts"
import { isLinkTrigger, reactsToLink } from "../link/LinkTrigger.ts"
import type { Message } from "../conversation/Message.ts"
import { reactsTo } from "../rule/ReactsTo.ts"
import { isEnabled, type Rule } from "../rule/Rule.ts"
import { type ChangeTrigger, isChangeTrigger, type QueuedTrigger, queuedTriggerOf } from "../rule/Trigger.ts"
import type { Change } from "../webhook/Change.ts"
import {
  causeOf,
  dateKeyOf,
  dueKeyOf,
  firingKeyOf,
  leadDateKeyOf,
  linkKeyOf,
  type TriggerRun,
  triggerTime
} from "./TriggerRun.ts"

/** An enabled rule that runs as trigger runs. */
export interface QueuedRule {
  readonly rule: Rule
  readonly trigger: QueuedTrigger
}

/** Returns the enabled rules that run as trigger runs. */
export const queuedRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<QueuedRule> =>
  rules.flatMap((rule) => {
    const trigger = isEnabled(rule) ? queuedTriggerOf(rule) : null
    return trigger === null ? [] : [{ rule, trigger }]
  })

/** A cause of rules. */
export interface Cause extends Pick<
  TriggerRun,
  "tenantId" | "contactId" | "leadId" | "messageId" | "taskId" | "change" | "causeAt"
> {
  /** FROZEN, because keys are stored. Identifies the cause within the rule. Null: the cause is unlike every other one. */
  readonly key: string | null
}

/** A cause, and the time at which the rule is due. */
export interface PlannedCause {
  readonly cause: Cause
  readonly runAt: number
}

const dayMillis = 86_400_000

const none = { leadId: null, messageId: null, taskId: null, change: null }

/**
 * The age from which a message that arrives is history, in milliseconds. A mailbox that is connected after a rule was
 * saved thus causes no runs for its old mail.
 */
const historyMillis = 3_600_000

/**
 * Returns whether a message was too old to be a cause of rules when it arrived. The time of its run does not matter,
 * because an outage of the servers may delay the run.
 */
export const isHistory = ({ receivedAt, timestamp }: Pick<Message, "receivedAt" | "timestamp">): boolean =>
  timestamp < receivedAt - historyMillis

/**
 * Returns whether a message of the contact starts a wait for our answer. `waitingSince` is the start of the wait after the
 * message. An automatic reply may have ended the wait. It continues if the reply fails, so the run waits nevertheless.
 */
export const startsWait = ({ timestamp }: Pick<Message, "timestamp">, waitingSince: number | null): boolean =>
  waitingSince === null || waitingSince >= timestamp

/** The parts of a message that determine its cause. */
export type CauseMessage = Pick<Message, "contactId" | "tenantId" | "timestamp"> & { readonly messageId: MessageId }

/** Returns a message as a cause. `now` is the time at which the cause is stored. */
export const causeOfMessage = ({ contactId, messageId, tenantId, timestamp }: CauseMessage, now: number): Cause => ({
  ...none,
  tenantId,
  contactId,
  messageId,
  // The clock of a sender may be fast.
  causeAt: Math.min(timestamp, now),
  key: causeOf(contactId, timestamp)
})

/** Returns a change as the cause of rules with a trigger. */
const causeOfChange = (
  tenantId: string,
  { type }: ChangeTrigger,
  { contactId, field, from, leadId, task, to }: Change,
  now: number
): Cause => {
  const about = { tenantId, contactId, leadId, messageId: null, taskId: task?.taskId ?? null }
  const cause = { ...about, change: { field, from, to }, causeAt: task?.dueAt ?? now }
  if (type === "date_reached") {
    const date = String(to)
    return { ...cause, key: leadId === null ? dateKeyOf(contactId, field, date) : leadDateKeyOf(leadId, field, date) }
  }
  return { ...cause, key: task === null ? null : dueKeyOf(task.taskId, task.dueAt) }
}

/**
 * Returns the changes that are causes of a rule, when they happen. A date that has passed for more than a day is no
 * cause. Empty for a rule that does not react to changes.
 */
export const causesOfChanges = (
  { trigger }: Pick<QueuedRule, "trigger">,
  tenantId: string,
  timeZone: string,
  changes: ReadonlyArray<Change>,
  now: number
): ReadonlyArray<PlannedCause> => {
  if (!isChangeTrigger(trigger)) return []
  return changes.flatMap((change) => {
    if (!reactsTo(trigger, change)) return []
    const cause = causeOfChange(tenantId, trigger, change, now)
    const runAt = triggerTime(trigger, cause, timeZone)
    return trigger.type === "date_reached" && runAt < now - dayMillis ? [] : [{ cause, runAt }]
  })
}

/** Returns the first opening of a link as a cause of a rule; null if the rule does not react to it. */
export const causeOfLink = (
  { trigger }: Pick<QueuedRule, "trigger">,
  {
    messageId,
    position,
    sequenceId,
    tenantId,
    url
  }: Pick<TrackedLink, "messageId" | "position" | "sequenceId" | "tenantId" | "url">,
  contactId: ContactId,
  now: number
): Cause | null => {
  if (!isLinkTrigger(trigger) || !reactsToLink(trigger, { sequenceId, url })) return null
  const change = { field: "url", from: null, to: url }
  const key = linkKeyOf(messageId, position)
  return { ...none, tenantId, contactId, messageId, change, causeAt: now, key }
}

/** Returns the firing of a schedule for a contact as a cause. */
export const causeOfFiring = (tenantId: string, contactId: ContactId, firingAt: number): Cause => ({
  ...none,
  tenantId,
  contactId,
  causeAt: firingAt,
  key: firingKeyOf(contactId, firingAt)
})

/** Returns a new run of a rule for a cause, which waits until it is due. */
export const beginRun = (
  { rule, trigger }: QueuedRule,
  { cause: { key, ...cause }, runAt }: PlannedCause,
  triggerRunId: TriggerRun["triggerRunId"],
  now: number
): TriggerRun => ({
  ...cause,
  triggerRunId,
  ruleId: rule.id,
  ruleName: rule.name,
  trigger: trigger.type,
  cause: key ?? triggerRunId,
  runAt,
  state: "waiting",
  reason: null,
  actions: [],
  configVersion: null,
  attempts: 0,
  defects: 0,
  answeredAt: null,
  dueAt: runAt,
  createdAt: now,
  updatedAt: now
})
