/**
 * The model of rules with triggers, from `docs/reference/rules.md`: one run for each cause, at its time, and its task
 * unless the cause no longer applies.
 */
import type { Deviations } from "./Deviations.ts"
import { aheadAt, type Fault } from "./Faults.ts"
import { momentOf, plusDays } from "./LocalTime.ts"
import { begin, hourMillis, type Person, type PlannedTenant } from "./Plan.ts"
import type { Records, StoredMessage, StoredRun } from "./Records.ts"
import { dateOf, type Fact } from "./Actions.ts"

/** A contact with its facts and runs. */
export interface Ruled {
  readonly person: Person
  readonly tenant: PlannedTenant
  readonly contactId: string
  readonly facts: ReadonlyArray<Fact>
  readonly runs: ReadonlyArray<StoredRun>
  readonly messages: ReadonlyArray<StoredMessage>
  readonly faultOf: (hour: number) => Fault
}

const patienceMillis = 2 * hourMillis
const arrived: ReadonlyArray<string> = ["sent", "delivered", "unknown"]

/** Returns whether a message counted as arrived at a time. A message that bounces arrived before. */
const hadArrived = ({ facts }: Ruled, { delivery }: StoredMessage, at: number): boolean =>
  arrived.includes(delivery) ||
  (delivery === "bounced" &&
    facts.some(({ hour, kind }) => kind === "bounce" && begin + hour * hourMillis >= at - patienceMillis))

const iso = (at: number): string => new Date(at).toISOString()

/** Expects a number of runs of a rule. */
const expectRuns = (
  { person, runs }: Ruled,
  rule: string,
  expected: number,
  matches: (run: StoredRun) => boolean,
  found: Deviations
): void => {
  const count = runs.filter((run) => run.rule === rule && matches(run)).length
  for (let promised = 0; promised < expected; promised++) found.promise()
  const detail = `${person.key}: ${expected} runs of ${rule} expected, ${count} found`
  if (count < expected) found.add("lost", detail)
  if (count > expected) found.add("duplicated", detail)
}

/** Each of our messages is one cause. Messages of the same millisecond are one cause together. */
const checkNoAnswer = (ruled: Ruled, found: Deviations): void => {
  const ours = ruled.messages.filter(({ isOurs }) => isOurs)
  expectRuns(ruled, "no_answer", new Set(ours.map(({ timestamp }) => timestamp)).size, () => true, found)
  for (const { messageId, reason, rule, state, updatedAt } of ruled.runs) {
    if (rule !== "no_answer") continue
    const cause = ours.find(({ id }) => id === messageId)
    if (cause === undefined) {
      found.add("wrong", `${ruled.person.key}: a run of no_answer without its message`)
      continue
    }
    const about = `${ruled.person.key}: our message of ${iso(cause.timestamp)}`
    const answers = ruled.messages.filter((one) => !one.isOurs && one.receivedAt > cause.receivedAt)
    const newer = ours.filter(({ timestamp }) => timestamp > cause.timestamp)
    if (state === "ran") {
      if (!hadArrived(ruled, cause, updatedAt)) found.add("wrong", `${about} is ${cause.delivery}, and the rule ran`)
      // A server whose clock is ahead runs the rule before the recorded time.
      const ranAt = updatedAt - aheadAt(ruled.faultOf, updatedAt)
      if (answers.some(({ receivedAt }) => receivedAt < ranAt - patienceMillis))
        found.add("wrong", `${about} has an answer, and the rule ran`)
    }
    if (state !== "prevented") continue
    found.note(`no_answer prevented: ${reason}`)
    if (reason.includes("written since") && answers.length === 0) found.add("lost", `${about} has no answer`)
    if (reason.includes("newer message") && newer.length === 0) found.add("lost", `${about} is the newest`)
    if (reason.includes("newer message") && newer.every((one) => !hadArrived(ruled, one, updatedAt)))
      found.add("lost", `${about} is the newest one that arrived, and the rule did not run`)
    if (reason.includes("did not reach") && arrived.includes(cause.delivery)) found.add("lost", `${about} arrived`)
  }
}

/** Returns whether a message of a contact begins a wait: true, false, or null if this depends on the order of events. */
const beginsWait = (
  records: Records,
  messages: ReadonlyArray<StoredMessage>,
  message: StoredMessage
): boolean | null => {
  const earlier = messages.filter(({ isOurs, timestamp }) => !isOurs && timestamp < message.timestamp)
  const last = earlier.at(-1)
  if (message.isKeyword) return false
  if (last === undefined) return true
  const between = messages.filter(
    ({ isOurs, receivedAt }) =>
      isOurs && receivedAt > last.receivedAt - patienceMillis && receivedAt < message.receivedAt + patienceMillis
  )
  if (between.length === 0) return false
  const isAnswered = between.some(({ delivery, id, timestamp }) => {
    const endedAt = records.sendsOfMessages.get(id)?.endedAt ?? Number.POSITIVE_INFINITY
    return arrived.includes(delivery) && timestamp > last.timestamp && endedAt < message.receivedAt - patienceMillis
  })
  return isAnswered ? true : null
}

/** The first message without an answer is one cause. */
const checkUnanswered = (ruled: Ruled, records: Records, found: Deviations): void => {
  const theirs = ruled.messages.filter(({ isOurs }) => !isOurs)
  for (const message of theirs) {
    const begins = beginsWait(records, ruled.messages, message)
    if (begins === null) found.note("messages whose wait depends on the order of events")
    else expectRuns(ruled, "unanswered", begins ? 1 : 0, ({ messageId }) => messageId === message.id, found)
  }
  for (const { messageId, reason, rule, state } of ruled.runs) {
    if (rule !== "unanswered" || state !== "prevented") continue
    found.note(`unanswered prevented: ${reason}`)
    const cause = theirs.find(({ id }) => id === messageId)
    const answer = ruled.messages.find(
      ({ isOurs, receivedAt }) => isOurs && receivedAt > (cause?.receivedAt ?? 0) - patienceMillis
    )
    if (answer === undefined)
      found.add("lost", `${ruled.person.key}: no answer to ${messageId}, and the rule did not run`)
  }
}

/** Each change is one cause. */
const checkChanges = (ruled: Ruled, found: Deviations): void => {
  const of = (kind: Fact["kind"]) => ruled.facts.filter((fact) => fact.kind === kind)
  const tags = of("tag").length > 0 ? 1 : 0
  expectRuns(ruled, "tag_added", tags, () => true, found)
  const [tag] = of("tag")
  const isRemoved = of("untag").some(({ hour }) => hour > (tag?.hour ?? 0))
  expectRuns(ruled, "tag_removed", tags === 1 && isRemoved ? 1 : 0, () => true, found)
  expectRuns(ruled, "field_changed", of("field").length, () => true, found)
  for (const { hour, value } of of("date")) {
    const due = momentOf(ruled.tenant.zone, plusDays(dateOf(value), -1), 630)
    const past = begin + hour * hourMillis - due
    // A date that passed a day ago is no cause.
    if (Math.abs(past - 24 * hourMillis) < 26 * hourMillis) found.note("dates that passed about a day before")
    else
      expectRuns(
        ruled,
        "date_reached",
        past > 0 ? 0 : 1,
        ({ runAt, state }) => state !== "waiting" || runAt === due,
        found
      )
  }
}

/** Checks all runs of one contact. */
export const checkRules = (ruled: Ruled, records: Records, end: number, found: Deviations): void => {
  checkNoAnswer(ruled, found)
  checkUnanswered(ruled, records, found)
  checkChanges(ruled, found)
  const ran = new Map<string, number>()
  for (const { reason, rule, runAt, state } of ruled.runs) {
    found.note(`${rule}: ${state}`)
    if (state === "waiting" && runAt < end - patienceMillis)
      found.add("lost", `${ruled.person.key}: ${rule} is due since ${iso(runAt)} (${reason})`)
    if (state === "ran") ran.set(rule, (ran.get(rule) ?? 0) + 1)
  }
  for (const rule of new Set(ruled.runs.map(({ rule }) => rule))) {
    const [tasks, runs] = [records.tasks.get(`${ruled.contactId} rule ${rule}`) ?? 0, ran.get(rule) ?? 0]
    if (tasks !== runs)
      found.add(tasks < runs ? "lost" : "duplicated", `${ruled.person.key}: ${runs} runs of ${rule}, ${tasks} tasks`)
  }
}
