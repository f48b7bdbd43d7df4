/** What happens in a simulation: tenants, sequences, rules, people and their actions, from a seed. */

/** A step of a sequence. */
export interface PlannedStep {
  readonly name: string
  readonly kind: "email" | "sms" | "task" | "wait"
  readonly delay: { readonly amount: number; readonly unit: "minutes" | "hours" | "days" }
  /** Whether the step runs only on working days from 09:00 to 17:00 of the contact. */
  readonly inOffice: boolean
}

/** A sequence of a tenant. */
export interface PlannedSequence {
  readonly key: string
  readonly tenant: string
  readonly steps: ReadonlyArray<PlannedStep>
}

/** A tenant with its time zone and its limit of sequence messages per contact and day. */
export interface PlannedTenant {
  readonly tenant: string
  readonly zone: string
  readonly dailyMessages: number
  /** The quiet hours of its guardrails; null: none. */
  readonly quiet: { readonly from: string; readonly to: string } | null
  readonly phone: string
}

/** A contact. */
export interface Person {
  readonly key: string
  readonly tenant: string
  readonly email: string
  readonly phone: string
  readonly zone: string
}

/** What a person or a user does in one hour of the simulation. */
export interface Action {
  readonly person: Person
  readonly kind:
    | "enrol"
    | "write"
    | "unsubscribe"
    | "stop texts"
    | "bounce"
    | "stop"
    | "tag"
    | "untag"
    | "field"
    | "date"
    | "answer"
    | "archive"
  /** The key of the sequence, or the value of the field. */
  readonly value: string
}

/** A simulation. */
export interface Plan {
  readonly days: number
  readonly tenants: ReadonlyArray<PlannedTenant>
  readonly sequences: ReadonlyArray<PlannedSequence>
  readonly people: ReadonlyArray<Person>
  /** The actions by the hour of the simulation. */
  readonly actions: ReadonlyMap<number, ReadonlyArray<Action>>
}

/** A Monday before the clocks change in North America and Europe. */
export const begin = Date.parse("2027-03-01T00:00:00Z")
export const hourMillis = 3_600_000

/** The rules of every tenant. Their tasks have the titles of the rules. */
export const rules = [
  { id: "no_answer", trigger: { type: "no_answer", after_minutes: 2_880 } },
  { id: "unanswered", trigger: { type: "unanswered", after_minutes: 90 } },
  { id: "tag_added", trigger: { type: "tag_added", tag: "vip", after_minutes: 180 } },
  { id: "tag_removed", trigger: { type: "tag_removed", tag: "vip" } },
  { id: "field_changed", trigger: { type: "field_changed", field: "level", after_minutes: 60 } },
  { id: "date_reached", trigger: { type: "date_reached", field: "renewal", days: -1, at: "10:30" } },
  { id: "lead_state_changed", trigger: { type: "lead_state_changed", to: "archived", after_minutes: 120 } }
].map((rule, index) => ({
  ...rule,
  name: rule.id,
  priority: index + 1,
  when: { all: [] },
  actions: [{ type: "create_task", task_type: "follow_up", title: `rule ${rule.id}` }]
}))

/** Returns random numbers from 0 to 1 (mulberry32), so that a seed repeats a simulation. */
export const makeRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const zones = [
  "America/New_York",
  "Europe/Berlin",
  "Asia/Kolkata",
  "America/Los_Angeles",
  "Australia/Sydney",
  "Europe/London"
]

const tenantOf = (index: number): PlannedTenant => ({
  tenant: `shop${index}`,
  zone: zones[index % zones.length] ?? "UTC",
  dailyMessages: 1 + (index % 3),
  quiet: index % 2 === 0 ? { from: "12:00", to: "13:30" } : null,
  phone: `+1646200${String(index).padStart(4, "0")}`
})

type Random = () => number

const pick = <A>(random: Random, values: ReadonlyArray<A>): A => values[Math.floor(random() * values.length)] as A

const between = (random: Random, low: number, high: number): number => low + Math.floor(random() * (high - low + 1))

/** The delays of steps: the longest one in each unit. */
const delays = [
  { longest: 360, unit: "minutes" },
  { longest: 60, unit: "hours" },
  { longest: 6, unit: "days" }
] as const

const delayOf = (random: Random): PlannedStep["delay"] => {
  const { longest, unit } = pick(random, delays)
  return { amount: between(random, 0, longest), unit }
}

const sequenceOf = (random: Random, index: number, tenant: string): PlannedSequence => ({
  key: `q${index}`,
  tenant,
  steps: Array.from({ length: between(random, 2, 5) }, (_, step) => ({
    name: `s${step}`,
    kind: pick(random, ["email", "email", "sms", "email", "sms", "task", "wait"]),
    delay: delayOf(random),
    inOffice: random() < 0.3
  }))
})

const personOf = (random: Random, index: number, { tenant }: PlannedTenant): Person => ({
  key: `c${index}`,
  tenant,
  email: `c${index}@people.example`,
  phone: `+1212${String(2_000_000 + index)}`,
  zone: pick(random, zones)
})

/** The share of people with each action. */
const shares = [
  ["write", 0.3],
  ["write", 0.15],
  ["unsubscribe", 0.05],
  ["stop texts", 0.05],
  ["bounce", 0.04],
  ["stop", 0.05],
  ["tag", 0.2],
  ["field", 0.2],
  ["date", 0.2],
  ["answer", 0.15]
] as const

/** Actions that follow another one of the same person. */
const following = { tag: "untag", write: "archive" } as const

/** Creates a plan. A person does at most one thing in an hour. */
export const makePlan = (
  { contacts, days, sequences, tenants }: { readonly [name in "contacts" | "days" | "sequences" | "tenants"]: number },
  seed: number
): Plan => {
  const random = makeRandom(seed)
  const shops = Array.from({ length: tenants }, (_, index) => tenantOf(index))
  const at = <A>(values: ReadonlyArray<A>, index: number): A => values[index % values.length] as A
  const planned = Array.from({ length: sequences }, (_, index) => sequenceOf(random, index, at(shops, index).tenant))
  const people = Array.from({ length: contacts }, (_, index) => personOf(random, index, at(shops, index)))
  const actions = new Map<number, Array<Action>>()
  const hours = days * 24
  for (const person of people) {
    const taken = new Set<number>()
    const add = (kind: Action["kind"], earliest: number, latest: number, value = ""): number => {
      let hour = between(random, earliest, Math.max(earliest, latest))
      while (taken.has(hour)) hour += 1
      taken.add(hour)
      actions.set(hour, [...(actions.get(hour) ?? []), { person, kind, value }])
      return hour
    }
    const own = planned.filter(({ tenant }) => tenant === person.tenant)
    const first = between(random, 0, own.length - 1)
    const chosen = random() < 0.2 ? [first, first + 1] : [first]
    const keys = new Set(own.length === 0 ? [] : chosen.map((index) => at(own, index).key))
    const from = between(random, 1, Math.ceil(hours * 0.4))
    for (const key of keys) add("enrol", from, from + 24, key)
    for (const [kind, share] of shares) {
      if (random() > share) continue
      const value = kind === "date" ? String(between(random, 1, days)) : `v${between(random, 0, 9)}`
      const hour = add(kind, 1, hours - 3, value)
      if ((kind === "tag" || kind === "write") && random() < 0.4) add(following[kind], hour + 1, hours - 2)
    }
  }
  return { days, tenants: shops, sequences: planned, people, actions }
}
