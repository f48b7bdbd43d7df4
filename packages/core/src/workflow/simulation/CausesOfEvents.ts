import { Effect } from "effect"
import { signalIdOf } from "../../domain/classification/Signal.ts"
import { causeOfFiring, causeOfLink, causeOfMessage, isHistory, startsWait } from "../../domain/run/Cause.ts"
import { triggerTime } from "../../domain/run/TriggerRun.ts"
import type { AnswerTrigger, StartTrigger } from "../../domain/rule/Trigger.ts"
import { maxDecisions, maxExamined, maxSimulatedDays } from "../../domain/simulation/Simulation.ts"
import { minFiringMillis, nextFiring } from "../../domain/time/CronSchedule.ts"
import type { ContactFilter } from "../../domain/contact/ContactFilter.ts"
import type { ContactListPlace } from "../../domain/contact/ContactSummary.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { PastMessage } from "../../domain/conversation/PastMessage.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { PastFacts } from "../../port/repository/pipeline/PastFacts.ts"
import { collectContacts } from "../contact/ListEnriched.ts"
import { filterOf, isMet } from "../trigger/RunSchedule.ts"
import type { CauseScope, FoundCauses } from "./CauseScope.ts"
import { idBound, scan } from "./ScanPast.ts"

type Found = FoundCauses["found"][number]

/** Returns when a message of the contact started a wait for our answer: at the end of its run. Null: it did not. */
const waitOf = Effect.fnUntraced(function* ({ asOf, tenant, time }: CauseScope, message: PastMessage) {
  const { tenantId } = tenant
  const at = yield* (yield* PastFacts).runEndedAt(tenantId, signalIdOf(message.messageId))
  if (at === null) return null
  time.now = at
  const [conversation] = yield* asOf(Effect.flatMap(Conversations, ({ among }) => among(tenantId, [message.contactId])))
  return startsWait(message, conversation?.waitingSince ?? null) ? at : null
})

/** Finds the messages that wait for an answer. */
export const fromAnswers = Effect.fnUntraced(function* (scope: CauseScope, type: AnswerTrigger["type"]) {
  const { limit, period, rule, tenant } = scope
  const { tenantId } = tenant
  const past = yield* PastFacts
  const found: Array<Found> = []
  const more = yield* scan({
    after: idBound("msg", period.since),
    read: (after, count) => past.messages(tenantId, type, after, idBound("msg", period.until), count),
    idOf: ({ messageId }: PastMessage) => messageId,
    each: Effect.fnUntraced(function* (message: PastMessage) {
      const at = type === "no_answer" ? message.receivedAt : yield* waitOf(scope, message)
      if (at === null || at >= period.until || isHistory(message)) return false
      const cause = causeOfMessage(message, at)
      found.push({ cause, runAt: triggerTime(rule.trigger, cause, tenant.config.timeZone), at: cause.causeAt })
      return found.length > limit
    })
  })
  return { found, more } satisfies FoundCauses as FoundCauses
})

const dayMillis = 86_400_000

/** Finds the first openings of links, in messages that are at most `maxSimulatedDays` older than the period. */
export const fromLinks = Effect.fnUntraced(function* ({ limit, period, rule, tenant }: CauseScope) {
  const { since, until } = period
  const created = since - maxSimulatedDays * dayMillis
  const links = yield* (yield* PastFacts).openedLinks(tenant.tenantId, created, since, until, maxExamined)
  const found = links.flatMap((link): ReadonlyArray<Found> => {
    const at = link.firstOpenedAt ?? 0
    const cause = causeOfLink(rule, link, link.contactId, at)
    return cause === null ? [] : [{ cause, runAt: triggerTime(rule.trigger, cause, tenant.config.timeZone), at }]
  })
  return { found: found.slice(0, limit + 1), more: links.length === maxExamined } satisfies FoundCauses as FoundCauses
})

/** The number of contacts per read. */
const contactsPerRead = 250

/** The maximum number of contacts of a schedule that are examined: those with the latest activity. */
const maxContacts = 2_000

/** Reads the present contacts of a schedule, those with the latest activity first. */
const readMembers = Effect.fnUntraced(function* ({ period, tenant }: CauseScope, filter: ContactFilter) {
  const { some } = yield* Contacts
  const members: Array<Pick<Contact, "contactId" | "createdAt">> = []
  for (let after: ContactListPlace | null = null; members.length < maxContacts;) {
    const page: Effect.Success<ReturnType<typeof collectContacts>> = yield* collectContacts(
      tenant.tenantId,
      filter,
      after,
      contactsPerRead
    )
    const ids = page.found.map(({ contactId }) => contactId)
    const created = new Map((yield* some(tenant.tenantId, ids)).map((each) => [each.contactId, each.createdAt]))
    members.push(...ids.map((contactId) => ({ contactId, createdAt: created.get(contactId) ?? period.until })))
    after = page.next
    if (after === null) break
  }
  return members
})

/** Finds the contacts for which a schedule fires. The segment has its present members. */
export const fromSchedule = Effect.fnUntraced(function* (
  scope: CauseScope,
  trigger: Extract<StartTrigger, { readonly type: "schedule" }>
) {
  const { asOf, limit, period, rule, tenant, time } = scope
  const fired = { tenant, rule: rule.rule, trigger }
  const filter = yield* filterOf(fired)
  const contacts = filter === null ? [] : yield* readMembers(scope, filter)
  const found: Array<Found> = []
  let decisions = 0
  let firingAt = nextFiring(trigger.cron, tenant.config.timeZone, period.since - 1)
  while (firingAt !== null && firingAt < period.until) {
    time.now = firingAt
    for (const { contactId, createdAt } of contacts) {
      if (createdAt > firingAt) continue
      if (++decisions > maxDecisions || found.length > limit) return { found, more: true }
      if (decisions % 20 === 0) yield* Effect.yieldNow
      if (!(yield* asOf(isMet(fired, contactId, firingAt)))) continue
      found.push({ cause: causeOfFiring(tenant.tenantId, contactId, firingAt), runAt: firingAt, at: firingAt })
    }
    firingAt = nextFiring(trigger.cron, tenant.config.timeZone, firingAt + minFiringMillis - 1)
  }
  return { found, more: contacts.length >= maxContacts } satisfies FoundCauses as FoundCauses
})
