import { channels } from "@leadloom/core/internal/domain/Channel"
import { leadStates } from "@leadloom/core/internal/domain/lead/LeadState"
import { tiers } from "@leadloom/core/internal/domain/lead/Score"
import type { Facts, FactSources } from "@leadloom/core/internal/domain/rule/Fact"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import type { Comparison } from "@leadloom/core/internal/domain/rule/Condition"

/** Returns a generator of numbers from 0 to 1, the same in every run (mulberry32). */
const random = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const sources = ["ads", "organic", "referral", "partner", "import"]
const words = ["quote", "price", "urgent", "refund", "demo", "call", "today", "roof"]

const makePick =
  (next: () => number) =>
  <A>(list: ReadonlyArray<A>): A => {
    const value = list[Math.floor(next() * list.length)]
    if (value === undefined) throw new Error("an empty list")
    return value
  }

const comparisons = (next: () => number) => {
  const pick = makePick(next)
  const below = (end: number): number => Math.floor(next() * end)
  return (): Comparison =>
    pick<() => Comparison>([
      () => ({ fact: "message.channel", op: "eq", value: pick(channels) }),
      () => ({ fact: "score.value", op: "gte", value: below(100) }),
      () => ({ fact: "score.value", op: "lt", value: below(100) }),
      () => ({ fact: "lead.state", op: "eq", value: pick(leadStates) }),
      () => ({ fact: "score.tier", op: "in", value: [pick(tiers), pick(tiers)] }),
      () => ({ fact: "lead.source", op: "eq", value: pick(sources) }),
      () => ({ fact: "lead.age_hours", op: "gte", value: below(200) }),
      () => ({ fact: "message.text", op: "contains", value: pick(words) }),
      () => ({ fact: "time.hour", op: "lt", value: below(24) })
    ])()
}

/** Returns fifty rules with one or two required comparisons each. Half of them have two alternatives in addition. */
export const ruleSet = (): ReadonlyArray<Rule> => {
  const next = random(11)
  const compare = comparisons(next)
  return Array.from({ length: 50 }, (_, index): Rule => {
    const all = Array.from({ length: next() < 0.5 ? 1 : 2 }, compare)
    const any = next() < 0.5 ? [{ any: [compare(), compare()] }] : []
    return {
      id: `r${String(index).padStart(2, "0")}`,
      name: `Rule ${index}`,
      priority: index,
      when: { all: [...all, ...any] },
      actions: [{ type: "tag", tag: `t${index}` }]
    }
  })
}

/** Returns 512 messages with their records. */
export const sourcesSet = (): ReadonlyArray<FactSources> => {
  const next = random(7)
  const pick = makePick(next)
  const now = 1_773_059_400_000
  return Array.from({ length: 512 }, (_, index): FactSources => {
    const hour = Math.floor(next() * 24)
    const source = pick(sources)
    return {
      message: {
        attachments: [],
        auto: null,
        body: Array.from({ length: 60 }, () => (next() < 0.04 ? pick(words) : "lorem")).join(" "),
        channel: pick(channels),
        metadata: { form: "contact" },
        receivedAlias: "sales@acme.com",
        source,
        subject: "a question"
      },
      contact: { company: "acme", email: `person.${index}@customer.example`, name: "a b", phone: null, tags: ["vip"] },
      contactIsNew: next() < 0.5,
      lead: { assignee: null, createdAt: now - Math.floor(next() * 200 * 3_600_000), source, state: pick(leadStates) },
      leadIsNew: false,
      classification: null,
      score: { score: Math.floor(next() * 100), tier: pick(tiers) },
      time: { hour, minuteOfDay: hour * 60, weekday: "mon", date: "2026-03-09" },
      now
    }
  })
}

/** Returns the name of a fact for the other engines, which interpret a dot as a path. */
export const nameElsewhere = (fact: string): string => fact.replaceAll(".", "_")

/** Returns the same facts as a flat object, which is the fastest form for the other engines. */
export const factsOfEngines = (facts: Facts): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [nameElsewhere(name), value]))
