import { Clock, Effect } from "effect"
import { optOutAt } from "../../domain/consent/OptOut.ts"
import { leadAt } from "../../domain/contact/LeadAt.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { type Enrolment, enrolmentOfKey, isRunning } from "../../domain/sequence/Enrolment.ts"
import { notPaused, type Sequence } from "../../domain/sequence/Sequence.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { PastFacts, type PastSlot } from "../../port/repository/pipeline/PastFacts.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"

/** The state of a simulation. */
export interface SimulatedTime {
  readonly tenantId: string
  /** The start of the period. */
  readonly since: number
  /** The simulated sequence; null: the stored ones. */
  readonly sequence: Sequence | null
  /** The ids of the real enrolments in whose place the simulated ones are. */
  readonly replaced: ReadonlySet<string>
  /** The present simulated time, in epoch milliseconds. */
  now: number
  /** The id of the enrolment whose step is decided. Of steps that are due at the same moment, a smaller id runs first. */
  current: string
  /** The simulated enrolments by contact, oldest first. */
  readonly enrolments: Map<string, Array<Enrolment>>
  /** The slots of simulated emails, newest first. */
  readonly slots: Array<number>
}

/** Remembers the results of a read for the duration of a simulation. */
const remembered = <A, E, R>(read: (key: string) => Effect.Effect<A, E, R>) => {
  const known = new Map<string, A>()
  return (key: string): Effect.Effect<A, E, R> => {
    const found = known.get(key)
    return found === undefined
      ? Effect.tap(read(key), (value) => Effect.sync(() => known.set(key, value)))
      : Effect.succeed(found)
  }
}

/** The maximum number of moves of leads, and of enrolments, that are read of one contact. */
const maxPerContact = 1_000

const pastMessages = Effect.fnUntraced(function* (time: SimulatedTime) {
  const messages = yield* Messages
  const sends = yield* Sends
  const past = yield* PastFacts
  const { tenantId } = time
  const written = remembered((key) => {
    const [contactId = "", after] = key.split(":")
    return Effect.map(past.writtenAfter(tenantId, contactId, Number(after)), (at) => ({ at }))
  })
  const bounced = remembered((messageId) =>
    Effect.map(sends.history(tenantId, messageId as Message["messageId"]), (steps) => ({
      at: steps.find(({ step }) => step === "bounced")?.at ?? -Infinity
    }))
  )
  return Messages.of({
    ...messages,
    hasWrittenSince: (_, contactId, after) =>
      Effect.map(written(`${contactId}:${after}`), ({ at }) => at !== null && at <= time.now),
    newestEmail: (_, contactId) => past.newestEmail(tenantId, contactId, time.now),
    newestText: (_, contactId) => past.newestText(tenantId, contactId, time.now),
    findAll: Effect.fnUntraced(function* (_, messageIds) {
      const found: Array<Message> = []
      for (const message of yield* messages.findAll(tenantId, messageIds)) {
        const isLater = message.delivery === "bounced" && (yield* bounced(message.messageId)).at > time.now
        found.push(isLater ? { ...message, delivery: "sent" } : message)
      }
      return found
    })
  })
})

const pastContacts = Effect.fnUntraced(function* ({ tenantId }: SimulatedTime, now: () => number) {
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
      get: (_, contactId) =>
        Effect.map(found(contactId), (contact) =>
          contact.archivedAt !== null && contact.archivedAt > now() ? { ...contact, archivedAt: null } : contact
        ),
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

const pastLeads = Effect.fnUntraced(function* (time: SimulatedTime) {
  const leads = yield* Leads
  const past = yield* PastFacts
  const { since, tenantId } = time
  const found = remembered((leadId) => leads.get(tenantId, leadId))
  const moves = remembered((contactId) => past.leadMoves(tenantId, contactId, since, maxPerContact))
  return Leads.of({
    ...leads,
    get: Effect.fnUntraced(function* (_, leadId) {
      const lead = yield* found(leadId)
      return leadAt(lead, yield* moves(lead.contactId), time.now)
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
    enrolments.page(tenantId, { sequenceId: null, contactId, state: null }, maxPerContact, null)
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
 * Returns a function that runs an effect with the facts of the simulated time: the ports of messages, consents,
 * contacts, leads, sends, sequences and enrolments answer as they did then, with the simulated enrolments in place of
 * the replaced ones, and the clock shows the simulated time. Facts without a stored history are the present ones. The
 * effect must only read.
 */
export const makeAsOf = Effect.fnUntraced(function* (time: SimulatedTime) {
  const clock = yield* Clock.Clock
  const now = () => time.now
  const messages = yield* pastMessages(time)
  const { contacts, optOuts } = yield* pastContacts(time, now)
  const leads = yield* pastLeads(time)
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
      Effect.provideService(Enrolments, enrolments),
      Effect.provideService(Sends, sends),
      Effect.provideService(Sequences, sequences),
      Effect.provideService(Clock.Clock, simulatedClock)
    )
})

/** A function that runs an effect as of the simulated time. */
export type AsOf = Effect.Success<ReturnType<typeof makeAsOf>>
