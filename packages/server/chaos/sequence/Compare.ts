/** Compares the records and the received messages of a simulation with the model. */
import type { Stored } from "../Stored.ts"
import type { Tally } from "../Tally.ts"
import { type Deviations, makeDeviations } from "./Deviations.ts"
import type { Fault } from "./Faults.ts"
import { quietReason } from "./Hours.ts"
import { localOf } from "./LocalTime.ts"
import { begin, hourMillis, type Person, type Plan, type PlannedTenant } from "./Plan.ts"
import type { Providers, Receipt } from "./Providers.ts"
import { readRecords, type Records, type StoredEnrolment } from "./Records.ts"
import { checkRules } from "./RuleModel.ts"
import { checkChannels, checkEnrolment } from "./StepModel.ts"
import type { Fact } from "./Actions.ts"
import type { World } from "./World.ts"

/** The result of a comparison. */
export type Comparison = {
  readonly tally: Tally
  /** Deviations that are neither lost nor duplicated, for example a message in quiet hours. */
  readonly wrong: number
  /** Steps that ran more than two hours after their planned time, without a recorded delay. */
  readonly late: number
  readonly details: ReadonlyArray<string>
  readonly notes: Readonly<Record<string, number>>
}

/** A finished simulation. */
export interface Finished {
  readonly plan: Plan
  readonly world: World
  readonly facts: ReadonlyArray<Fact>
  readonly providers: Providers
  readonly stored: Stored
  /** The time at the end. */
  readonly end: number
  readonly faultOf: (hour: number) => Fault
}

const groupOf = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Returns how many messages of sequences a contact got on a local day. */
const countsOf = (enrolments: ReadonlyArray<StoredEnrolment>, { zone }: Person) => {
  const counts = new Map<string, number>()
  for (const { at, outcome } of enrolments.flatMap(({ history }) => history)) {
    const { date } = localOf(zone, at)
    if (outcome === "sent") counts.set(date, (counts.get(date) ?? 0) + 1)
  }
  return (date: string): number => counts.get(date) ?? 0
}

/** Checks that a person got nothing in quiet hours. The clock of a server that jumped shows other hours. */
const checkQuiet = (
  { faultOf }: Finished,
  person: Person,
  tenant: PlannedTenant,
  receipts: ReadonlyArray<Receipt>,
  found: Deviations
): void => {
  for (const { hour, text } of receipts) {
    const reason = quietReason(person, tenant, begin + hour * hourMillis)
    if (reason === null || !text.includes("/")) continue
    if (faultOf(hour).skewed === null) found.add("wrong", `${person.key}: ${text} in hour ${hour}, ${reason}`)
    else found.note("messages in quiet hours while a clock was wrong")
  }
}

const checkAll = (finished: Finished, records: Records, found: Deviations): void => {
  const { end, faultOf, plan, providers, world } = finished
  const facts = groupOf(finished.facts, ({ person }) => person.key)
  const receipts = groupOf(providers.receipts, ({ to }) => to)
  const enrolments = groupOf(records.enrolments, ({ contactId }) => contactId)
  const runs = groupOf(records.runs, ({ contactId }) => contactId)
  const ofSequence = new Map(plan.sequences.map((one) => [world.sequenceIds.get(one.key) ?? "", one]))
  const tenants = new Map(plan.tenants.map((one) => [one.tenant, one]))
  for (const person of plan.people) {
    const contactId = world.contactIds.get(person.key) ?? ""
    const tenant = tenants.get(person.tenant)
    if (tenant === undefined) continue
    const own = enrolments.get(contactId) ?? []
    const did = facts.get(person.key) ?? []
    const got = [...(receipts.get(person.email) ?? []), ...(receipts.get(person.phone) ?? [])]
    const messages = records.messages.get(contactId) ?? []
    const sentOn = countsOf(own, person)
    const promised = did.filter(({ kind }) => kind === "enrol").length
    if (own.length !== promised)
      found.add(own.length < promised ? "lost" : "duplicated", `${person.key}: ${own.length} of ${promised} enrolments`)
    for (const enrolment of own) {
      const sequence = ofSequence.get(enrolment.sequenceId)
      if (sequence === undefined) continue
      const enrolledHour = did.find(({ kind, value }) => kind === "enrol" && value === sequence.key)?.hour ?? 0
      const enrolled = {
        person,
        tenant,
        sequence,
        enrolment,
        facts: did,
        enrolledHour,
        receipts: got,
        messages,
        faultOf,
        sentOn
      }
      checkEnrolment(enrolled, records, end, found)
    }
    checkChannels(person, did, got, found)
    checkQuiet(finished, person, tenant, got, found)
    checkRules(
      { person, tenant, contactId, facts: did, runs: runs.get(contactId) ?? [], messages, faultOf },
      records,
      end,
      found
    )
  }
}

/** Compares a finished simulation with the model. */
export const compare = async (finished: Finished): Promise<Comparison> => {
  const found = makeDeviations()
  checkAll(finished, await readRecords(finished.stored), found)
  const [accepted, lost] = [found.promised(), found.count("lost")]
  return {
    tally: { accepted, stored: accepted - lost, lost, duplicated: found.count("duplicated") },
    wrong: found.count("wrong"),
    late: found.count("late"),
    details: found.details(),
    notes: found.notes()
  }
}
