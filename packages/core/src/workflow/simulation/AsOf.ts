import { Clock, Effect } from "effect"
import { optOutAt } from "../../domain/consent/OptOut.ts"
import { contactBefore } from "../../domain/contact/ContactAt.ts"
import { leadBefore } from "../../domain/contact/LeadAt.ts"
import { activityOf } from "../../domain/conversation/PastMessage.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { type Enrolment, enrolmentOfKey, isRunning } from "../../domain/sequence/Enrolment.ts"
import { notPaused } from "../../domain/sequence/Sequence.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { PastFacts, type PastSlot } from "../../port/repository/pipeline/PastFacts.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { makePastReads, type PastReads, remembered } from "./PastReads.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"
import { pastConversations, pastTasks } from "./PastWork.ts"

/** The maximum number of enrolments that are read of one contact. */
const maxEnrolments = 1_000

const pastMessages = Effect.fnUntraced(function* (time: SimulatedTime, read: PastReads) {
  const messages = yield* Messages
  const past = yield* PastFacts
  const { tenantId } = time
  const written = remembered((key) => {
    const [contactId = "", after] = key.split(":")
    return Effect.map(past.writtenAfter(tenantId, contactId, Number(after)), (at) => ({ at }))
  })
  const asOf = Effect.fnUntraced(function* (message: Message) {
    return { ...message, delivery: yield* read.deliveryOf(message) }
  })
  return Messages.of({
    ...messages,
    hasWrittenSince: (_, contactId, after) =>
      Effect.map(written(`${contactId}:${after}`), ({ at }) => at !== null && at <= time.now),
    newestEmail: (_, contactId) => past.newestEmail(tenantId, contactId, time.now),
    newestText: (_, contactId) => past.newestText(tenantId, contactId, time.now),
    activity: (_, contactId) => Effect.map(read.messagesOf(contactId), activityOf),
    find: Effect.fnUntraced(function* (_, messageId) {
      const message = yield* messages.find(tenantId, messageId)
      return message === null ? null : yield* asOf(message)
    }),
    findAll: (_, messageIds) =>
      Effect.flatMap(messages.findAll(tenantId, messageIds), (found) => Effect.forEach(found, asOf))
  })
})

const pastContacts = Effect.fnUntraced(function* (
  { tenantId }: SimulatedTime,
  { changesOf }: PastReads,
  now: () => number
) {
  const contacts = yield* Contacts
  const optOuts = yield* OptOuts
  const past = yield* PastFacts
  const since = remembered((address) => Effect.map(past.undeliverableSince(tenantId, address), (at) => ({ at })))
  const identities = remembered((contactId) => contacts.identitiesOf(tenantId, contactId))
  const changes = remembered((spellings) => optOuts.of(tenantId, JSON.parse(spellings) as ReadonlyArray<string>))
  const found = remembered((contactId) => contacts.get(tenantId, contactId))
  return {
    contacts: Contacts.of({
      ...contacts,
      get: Effect.fnUntraced(function* (_, contactId) {
        const contact = contactBefore(yield* found(contactId), yield* changesOf(contactId))
        return contact.archivedAt !== null && contact.archivedAt > now() ? { ...contact, archivedAt: null } : contact
      }),
      identitiesOf: (_, contactId) => identities(contactId),
      undeliverable: Effect.fnUntraced(function* (_, address) {
        const { at } = yield* since(address)
        return at === null || at > now() ? null : yield* contacts.undeliverable(tenantId, address)
      })
    }),
    optOuts: OptOuts.of({
      ...optOuts,
      of: (_, phones) =>
        Effect.map(changes(JSON.stringify(phones)), (known) => known.flatMap((one) => optOutAt(one, now()) ?? []))
    })
  }
})

const pastLeads = Effect.fnUntraced(function* (time: SimulatedTime, { changesOf }: PastReads) {
  const leads = yield* Leads
  const past = yield* PastFacts
  const { tenantId } = time
  const found = remembered((leadId) => leads.get(tenantId, leadId))
  return Leads.of({
    ...leads,
    get: Effect.fnUntraced(function* (_, leadId) {
      const lead = yield* found(leadId)
      const score = yield* past.scoreBefore(tenantId, leadId, time.now + 1)
      const { score: points = null, tier = null } = score ?? {}
      return { ...leadBefore(lead, yield* changesOf(lead.contactId)), score: points, tier }
    })
  })
})

/** Returns whether a real enrolment was running at a time. */
const wasRunning = (enrolment: Enrolment, at: number): boolean =>
  enrolment.createdAt <= at && enrolment.state !== "held_out" && (isRunning(enrolment) || enrolment.updatedAt > at)

const pastEnrolments = Effect.fnUntraced(function* (time: SimulatedTime) {
  const enrolments = yield* Enrolments
  const { replaced, tenantId } = time
  const stored = remembered((contactId) =>
    enrolments.page(tenantId, { sequenceId: null, contactId, state: null }, maxEnrolments, null)
  )
  const real = (contactId: string) =>
    Effect.map(stored(contactId), (found) =>
      found.filter(({ createdAt, enrolmentId }) => createdAt <= time.now && !replaced.has(enrolmentId))
    )
  const simulated = (contactId: string) => time.enrolments.get(contactId) ?? []
  return Enrolments.of({
    ...enrolments,
    running: (_, sequenceId, contactId) =>
      Effect.map(real(contactId), (found) => {
        const known = found.find((one) => one.sequenceId === sequenceId && wasRunning(one, time.now))
        return known ?? simulated(contactId).find((one) => one.sequenceId === sequenceId && isRunning(one)) ?? null
      }),
    runningOf: (_, contactId, sequenceId, limit) =>
      Effect.map(real(contactId), (found) =>
        // What the rule really did at this moment follows its decision.
        [
          ...found.filter((one) => wasRunning(one, time.ruleName === null ? time.now : time.now - 1)),
          ...simulated(contactId).filter(isRunning)
        ]
          .filter((one) => sequenceId === null || one.sequenceId === sequenceId)
          .slice(0, limit)
      ),
    newest: (_, sequenceId, contactId) =>
      Effect.map(real(contactId), (found) => {
        const all = [...found, ...simulated(contactId)].filter((one) => one.sequenceId === sequenceId)
        return all.toSorted((one, other) => other.createdAt - one.createdAt)[0] ?? null
      }),
    overlaps: ({ createdAt, enrolmentId, sequenceId }, contactId) =>
      Effect.map(real(contactId), (found) => {
        const older = [...found, ...simulated(contactId)].filter(
          (one) => one.sequenceId === sequenceId && one.enrolmentId !== enrolmentId && one.createdAt < createdAt
        )
        return older.some((one) => isRunning(one) || one.updatedAt > createdAt)
      }),
    sentSince: (_, contactId) =>
      Effect.map(real(contactId), (found) => [
        ...found.map(({ enrolmentId, history }) => {
          const isEarlier = enrolmentId < time.current
          return history.filter(({ at }) => at < time.now || (isEarlier && at === time.now))
        }),
        ...simulated(contactId).map(({ history }) => history)
      ])
  })
})

const dayMillis = 86_400_000

/** The maximum number of slots of a day. The hourly limit permits 1,200. */
const maxSlotsPerDay = 2_000

const pastSends = Effect.fnUntraced(function* (time: SimulatedTime) {
  const sends = yield* Sends
  const past = yield* PastFacts
  const { replaced, tenantId } = time
  const days = new Map<number, ReadonlyArray<PastSlot>>()
  const slotsOf = Effect.fnUntraced(function* (day: number) {
    const known = days.get(day)
    if (known !== undefined) return known
    const found = yield* past.slots(tenantId, day * dayMillis - 1, (day + 1) * dayMillis - 1, maxSlotsPerDay)
    const kept = found.filter(({ key }) => !replaced.has(enrolmentOfKey(key) ?? ""))
    // The clock only moves forward, so earlier days are not read again.
    for (const old of days.keys()) if (old < day - 2) days.delete(old)
    days.set(day, kept)
    return kept
  })
  return Sends.of({
    ...sends,
    slots: Effect.fnUntraced(function* (_, after, limit) {
      const day = Math.floor(after / dayMillis)
      const real = [...(yield* slotsOf(day + 1)), ...(yield* slotsOf(day))]
      const taken = real.filter(({ reservedAt, slotAt }) => reservedAt <= time.now && slotAt > after)
      const own = time.slots.filter((slot) => slot > after)
      return [...taken.map(({ slotAt }) => slotAt), ...own].toSorted((one, other) => other - one).slice(0, limit)
    })
  })
})

const pastSequences = Effect.fnUntraced(function* ({ sequence }: SimulatedTime, now: () => number) {
  const sequences = yield* Sequences
  return Sequences.of({
    ...sequences,
    get: (tenantId, sequenceId) =>
      Effect.map(
        sequence !== null && sequence.sequenceId === sequenceId
          ? Effect.succeed(sequence)
          : sequences.get(tenantId, sequenceId),
        // The times of earlier pauses are not stored, so a simulated sequence is never paused.
        (found) => ({
          ...found,
          ...notPaused,
          archivedAt: found.archivedAt !== null && found.archivedAt > now() ? null : found.archivedAt
        })
      )
  })
})

/**
 * Returns a function that runs an effect with the facts of the simulated time: the ports of messages, conversations,
 * consents, contacts, leads, tasks, sends, sequences and enrolments answer as they did then, with the simulated enrolments in place of
 * the replaced ones, and the clock shows the simulated time. Facts without a stored history are the present ones. The
 * effect must only read.
 */
export const makeAsOf = Effect.fnUntraced(function* (time: SimulatedTime) {
  const clock = yield* Clock.Clock
  const now = () => time.now
  const read = yield* makePastReads(time)
  const messages = yield* pastMessages(time, read)
  const { contacts, optOuts } = yield* pastContacts(time, read, now)
  const leads = yield* pastLeads(time, read)
  const conversations = yield* pastConversations(time, read)
  const tasks = yield* pastTasks(time)
  const enrolments = yield* pastEnrolments(time)
  const sends = yield* pastSends(time)
  const sequences = yield* pastSequences(time, now)
  const simulatedClock: Clock.Clock = {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(Messages, messages),
      Effect.provideService(Contacts, contacts),
      Effect.provideService(OptOuts, optOuts),
      Effect.provideService(Leads, leads),
      Effect.provideService(Conversations, conversations),
      Effect.provideService(Tasks, tasks),
      Effect.provideService(Enrolments, enrolments),
      Effect.provideService(Sends, sends),
      Effect.provideService(Sequences, sequences),
      Effect.provideService(Clock.Clock, simulatedClock)
    )
})

/** A function that runs an effect as of the simulated time. */
export type AsOf = Effect.Success<ReturnType<typeof makeAsOf>>
