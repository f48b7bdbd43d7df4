import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { isEnabled } from "../../domain/rule/Rule.ts"
import { isLinkTrigger, reactsToLink } from "../../domain/link/LinkTrigger.ts"
import {
  isAnswerTrigger,
  isChangeTrigger,
  type LinkTrigger,
  type QueuedTrigger,
  queuedTriggerOf
} from "../../domain/rule/Trigger.ts"
import { type TriggerRun, triggerTime } from "../../domain/run/TriggerRun.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { TrackedLinks } from "../../port/repository/sequence/TrackedLinks.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { archivedMillis, never, type NotNow } from "./NotNow.ts"
import { readChanged } from "./ReadChanged.ts"
import { leadOf, readSubject } from "./ReadFacts.ts"

/** The delay of a run whose message still waits for its provider, in milliseconds. */
const queuedMillis = 600_000

/** Returns why the contact of our message cannot be said to have given no answer; null if it has not. */
const answerOf = Effect.fnUntraced(function* (
  { answeredAt }: TriggerRun,
  message: Message,
  contactId: string,
  now: number
) {
  const { delivery, receivedAt, tenantId, timestamp } = message
  if (delivery === "failed" || delivery === "bounced") return never("our message did not reach the contact")
  // A message that was stored while the run waited is an answer, also if the clock of its server dated it earlier.
  if (answeredAt !== null || (yield* (yield* Messages).hasWrittenSince(tenantId, contactId, receivedAt)))
    return never("the contact has written since")
  // Until it is sent, the conversation still waits for our answer.
  if (delivery === "queued")
    return { reason: "our message waits for its provider", until: now + queuedMillis } satisfies NotNow
  const [conversation] = yield* (yield* Conversations).among(tenantId, [contactId])
  if (conversation === undefined) return never("the conversation was deleted")
  if (conversation.waitingSince !== null) return never("the contact waits for our answer")
  if (conversation.answeredAt > timestamp) return never("our side has written a newer message")
  return null
})

/** Returns why the contact does not wait for an answer to its message; null if it does. */
const ourAnswerOf = Effect.fnUntraced(function* ({ tenantId, timestamp }: Message, contactId: string) {
  const [conversation] = yield* (yield* Conversations).among(tenantId, [contactId])
  const isWaiting = conversation !== undefined && conversation.waitingSince === timestamp
  return isWaiting ? null : never("our side has answered or closed the conversation")
})

/** Returns why the message of a run is no cause any more; null if it is. */
const answersOf = Effect.fnUntraced(function* (run: TriggerRun, { contactId }: Contact, now: number) {
  const message = run.messageId === null ? null : yield* (yield* Messages).find(run.tenantId, run.messageId)
  if (message === null) return never("the message was deleted")
  return yield* run.trigger === "no_answer" ? answerOf(run, message, contactId, now) : ourAnswerOf(message, contactId)
})

/** Returns why the link of a run is no cause any more; null if it is. */
const linkOf = Effect.fnUntraced(function* ({ change, messageId, tenantId }: TriggerRun, trigger: LinkTrigger) {
  const links = messageId === null ? [] : yield* (yield* TrackedLinks).ofMessage(tenantId, messageId)
  const link = links.find(({ url }) => url === change?.to)
  if (link === undefined) return never("the link was deleted")
  return reactsToLink(trigger, link) ? null : never("the trigger of the rule was changed")
})

/** Returns why the message or the link of a run is no cause any more, or not yet; null if it is. */
const noCauseOf = Effect.fnUntraced(function* (run: TriggerRun, trigger: QueuedTrigger, contact: Contact, now: number) {
  if (isAnswerTrigger(trigger)) return yield* answersOf(run, contact, now)
  return isLinkTrigger(trigger) ? yield* linkOf(run, trigger) : null
})

/** Reads everything about a due run, or why it does not take place now. */
export const readDue = Effect.fnUntraced(function* (run: TriggerRun, now: number) {
  const { ruleId, tenantId } = run
  const tenant = yield* (yield* Tenants)
    .get(tenantId)
    .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (tenant === null) return { reason: "the tenant is archived", until: now + archivedMillis } satisfies NotNow
  const rule = tenant.config.rules.find(({ id }) => id === ruleId)
  if (rule === undefined) return never("the rule was deleted")
  const trigger = queuedTriggerOf(rule)
  if (!isEnabled(rule)) return never("the rule was disabled")
  if (trigger?.type !== run.trigger) return never("the trigger of the rule was changed")
  const runAt = triggerTime(trigger, run, tenant.config.timeZone)
  if (runAt > now) return { reason: "the time of the trigger was extended", until: runAt } satisfies NotNow
  const contact = yield* resolveMergedContact(tenantId, run.contactId)
  if (contact === null) return never("the contact was deleted")
  if (contact.archivedAt !== null) return never("the contact is archived")
  const changed = isChangeTrigger(trigger) ? yield* readChanged(run, trigger, contact) : null
  if (changed !== null && "until" in changed) return changed
  const notNow = yield* noCauseOf(run, trigger, contact, now)
  if (notNow !== null) return notNow
  const lead = changed?.lead ?? (yield* leadOf(tenantId, contact.contactId))
  return yield* readSubject({ tenant, rule, contact, lead }, now)
})
