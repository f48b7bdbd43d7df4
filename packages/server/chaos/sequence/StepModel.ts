/**
 * The model of sequences, from `docs/how-to/follow-up-with-sequences.md`: each step once and in its order, not before its
 * delay, in its hours, and not after an answer, an opt-out, a bounce or a stop.
 */
import type { Deviations } from "./Deviations.ts"
import type { Fault } from "./Faults.ts"
import { afterDelay, hoursReason, permittedFrom } from "./Hours.ts"
import { localOf } from "./LocalTime.ts"
import { begin, hourMillis, type Person, type PlannedSequence, type PlannedTenant } from "./Plan.ts"
import type { Receipt } from "./Providers.ts"
import type { Records, StoredEnrolment, StoredEntry, StoredMessage } from "./Records.ts"
import type { Fact } from "./Actions.ts"

/** One enrolment with everything about it. */
export interface Enrolled {
  readonly person: Person
  readonly tenant: PlannedTenant
  readonly sequence: PlannedSequence
  readonly enrolment: StoredEnrolment
  /** The acknowledged actions of the person. */
  readonly facts: ReadonlyArray<Fact>
  readonly enrolledHour: number
  readonly receipts: ReadonlyArray<Receipt>
  /** The stored messages of the person and to the person. */
  readonly messages: ReadonlyArray<StoredMessage>
  readonly faultOf: (hour: number) => Fault
  /** The messages of sequences that the person has got on a local day, with this step. */
  readonly sentOn: (date: string) => number
}

/** The time after which a due step is lost. */
const patienceMillis = 2 * hourMillis
/** A wrong clock differs by at most a day. */
const maxSkewMillis = 25 * hourMillis

const completedOf = ({ history }: StoredEnrolment): ReadonlyArray<StoredEntry> =>
  history.filter(({ outcome }) => outcome !== "delayed")

const iso = (at: number): string => new Date(at).toISOString()

/** Checks the order, the delays and the hours of the steps. Returns the time from which the next delay counts. */
const checkTimes = (enrolled: Enrolled, about: string, found: Deviations): number => {
  const { enrolment, person, sequence, sentOn, tenant } = enrolled
  let base = enrolment.createdAt
  for (const [index, entry] of completedOf(enrolment).entries()) {
    const step = sequence.steps[index]
    found.promise()
    if (step === undefined || step.name !== entry.step) {
      const isRepeated = completedOf(enrolment).findIndex((one) => one.step === entry.step) < index
      found.add(isRepeated ? "duplicated" : "wrong", `${about}: step ${entry.step} at the place ${index}`)
      continue
    }
    const earliest = afterDelay(person, step, base)
    if (entry.at < earliest) found.add("wrong", `${about}/${entry.step} ran ${iso(entry.at)} before ${iso(earliest)}`)
    const reason = entry.outcome === "refused" ? null : hoursReason(person, tenant, step, entry.at)
    if (reason !== null) found.add("wrong", `${about}/${entry.step} ran ${iso(entry.at)}, ${reason}`)
    if (entry.outcome === "refused") found.note(`refused: ${entry.reason}`)
    const day = localOf(person.zone, entry.at).date
    if (entry.outcome === "sent" && sentOn(day) > tenant.dailyMessages)
      found.add("wrong", `${about}/${entry.step}: ${sentOn(day)} messages on ${day}`)
    const isDelayed = enrolment.history.some((one) => one.step === entry.step && one.outcome === "delayed")
    const planned = permittedFrom(person, tenant, step, earliest)
    if (!isDelayed && entry.at > planned + patienceMillis)
      found.add("late", `${about}/${entry.step} ran ${iso(entry.at)}, planned for ${iso(planned)}`)
    base = entry.at
  }
  return base
}

/** Checks that no step is overdue. */
const checkNext = (enrolled: Enrolled, base: number, about: string, end: number, found: Deviations): void => {
  const { enrolment, person, sequence, tenant } = enrolled
  const done = completedOf(enrolment).length
  const step = sequence.steps[done]
  if (enrolment.state === "completed" && step !== undefined)
    found.add("lost", `${about}/${step.name}: completed without`)
  if (enrolment.state !== "active") return
  if (step === undefined) return found.add("wrong", `${about}: active without a step`)
  const { nextAt } = enrolment
  const planned = permittedFrom(person, tenant, step, afterDelay(person, step, base))
  const last = enrolment.history.at(-1)
  const isDelayed = last?.outcome === "delayed" && last.step === step.name
  if (nextAt === null || nextAt < end - patienceMillis) {
    found.promise()
    return found.add("lost", `${about}/${step.name} is due since ${nextAt === null ? "ever" : iso(nextAt)}`)
  }
  if (planned < end - patienceMillis && !isDelayed) {
    found.promise()
    return found.add("lost", `${about}/${step.name} is planned for ${iso(nextAt)} instead of ${iso(planned)}`)
  }
  if (isDelayed) found.note(`delayed at the end: ${last.reason?.replace(/\d+/gu, "N")}`)
}

/** The actions that stop an enrolment with a reason. */
const stops: Readonly<Record<string, ReadonlyArray<Fact["kind"]>>> = {
  replied: ["write", "stop texts"],
  opted_out: ["unsubscribe", "stop texts"],
  bounced: ["bounce"],
  by_person: ["stop"]
}

/** Returns the times of the messages that the person wrote in an hour, by the clock of either server. */
const answersIn = ({ faultOf, messages }: Enrolled, hour: number): ReadonlyArray<number> => {
  const real = begin + hour * hourMillis
  const hours = [real, real + (faultOf(hour).skewed?.millis ?? 0)]
  return messages.flatMap(({ isOurs, receivedAt }) =>
    !isOurs && hours.some((from) => receivedAt >= from && receivedAt < from + hourMillis) ? [receivedAt] : []
  )
}

/** Checks that the enrolment stopped for a reason that exists, and that nothing followed an answer. */
const checkStop = (enrolled: Enrolled, about: string, found: Deviations): void => {
  const { enrolledHour, enrolment, facts, receipts, sequence } = enrolled
  const { state, stopReason } = enrolment
  if (state === "stopped") {
    found.note(`stopped: ${stopReason}`)
    const kinds = stops[stopReason ?? ""] ?? []
    if (!facts.some(({ kind }) => kinds.includes(kind))) found.add("wrong", `${about} stopped as ${stopReason}`)
  }
  for (const { hour, kind } of facts) {
    if (hour <= enrolledHour) continue
    const at = begin + hour * hourMillis
    const later = receipts.filter((one) => one.hour > hour && one.text.startsWith(`${sequence.key}/`))
    const about1 = `${about}: ${kind} in hour ${hour}`
    const isAnswer = kind === "write" || kind === "stop texts"
    const answeredAt = isAnswer ? answersIn(enrolled, hour) : []
    if (isAnswer && answeredAt.length === 0) found.add("lost", `${about1}: the message is not stored`)
    // The clocks of two servers differ. The answer stops the enrolment nevertheless.
    if (answeredAt.length > 0 && answeredAt.every((time) => time <= enrolment.createdAt))
      found.note("answers that a wrong clock dated before the enrolment")
    if (isAnswer && later.length > 0) found.add("wrong", `${about1}, ${later[0]?.text} in hour ${later[0]?.hour}`)
    const tooLate = completedOf(enrolment).find((one) => one.at > at + maxSkewMillis)
    if (isAnswer && tooLate !== undefined) found.add("wrong", `${about1}, ${tooLate.step} at ${iso(tooLate.at)}`)
  }
}

/** Checks that nobody who has opted out of a channel, or whose address bounced, gets a message on this channel. */
export const checkChannels = (
  person: Person,
  facts: ReadonlyArray<Fact>,
  receipts: ReadonlyArray<Receipt>,
  found: Deviations
): void => {
  for (const { hour, kind } of facts) {
    const channel = kind === "stop texts" ? "sms" : kind === "unsubscribe" || kind === "bounce" ? "email" : null
    const later = receipts.find((one) => one.channel === channel && one.hour > hour)
    if (later !== undefined && later.text.includes("/"))
      found.add("wrong", `${person.key}: ${later.text} in hour ${later.hour} after ${kind} in hour ${hour}`)
  }
}

/** Checks the message of each sent step at its provider. */
const checkMessages = (enrolled: Enrolled, records: Records, about: string, end: number, found: Deviations): void => {
  const { enrolment, receipts, sequence } = enrolled
  for (const { outcome, step } of completedOf(enrolment)) {
    if (outcome === "task_created") {
      const count = records.tasks.get(`${enrolment.contactId} ${sequence.key}/${step}`) ?? 0
      if (count !== 1) found.add(count === 0 ? "lost" : "duplicated", `${about}/${step}: ${count} tasks`)
    }
    if (outcome !== "sent") continue
    const count = receipts.filter(({ text }) => text === `${sequence.key}/${step}`).length
    const send = records.sends.get(`sequence:${enrolment.id}:${step}`)
    const state = send?.state ?? "missing"
    found.note(`messages: ${state}`)
    if (state === "failed") found.note(`failed: ${send?.reason.slice(0, 80)}`)
    if (count > 1) found.add("duplicated", `${about}/${step}: received ${count} times`)
    if (state === "confirmed" ? count === 0 : state === "missing")
      found.add("lost", `${about}/${step}: ${state}, received ${count} times`)
    if ((state === "failed" || state === "reserved") && count > 0)
      found.add("wrong", `${about}/${step}: ${state}, received ${count} times`)
    if (state === "reserved" && (send?.dueAt ?? 0) < end - patienceMillis)
      found.add("lost", `${about}/${step}: waits since ${iso(send?.dueAt ?? 0)}`)
  }
}

/** Checks one enrolment. */
export const checkEnrolment = (enrolled: Enrolled, records: Records, end: number, found: Deviations): void => {
  const about = `${enrolled.person.key} ${enrolled.sequence.key}`
  const base = checkTimes(enrolled, about, found)
  checkNext(enrolled, base, about, end, found)
  checkStop(enrolled, about, found)
  checkMessages(enrolled, records, about, end, found)
}
