/**
 * The editor of rules: conditions as sentences, trials, back-tests and the history. Stories of single runs belong in
 * `decision`. Tests: `packages/console/test/Rules.test.ts`.
 */
import type { Comparison, Condition, Rule } from "@leadloom/client"
import type { FactType, Operator } from "../text/Conditions.ts"
import { factSpecs, operatorsOf } from "../text/RuleVocabulary.ts"

/** The form in which a value is entered. */
export type ValueForm = "truth" | "number" | "range" | "list" | "text"

interface Spec {
  readonly type: FactType
  readonly oneOf: ReadonlyArray<string> | null
  readonly needsMessage: boolean
}

const specs: Readonly<Record<string, Spec>> = factSpecs

/** Returns the description of a fact; null for metadata and custom fields. */
export const specOf = (fact: string): Spec | null => (Object.hasOwn(specs, fact) ? (specs[fact] ?? null) : null)

/** Returns the known facts that a rule can compare: all of them, or those that need no message. */
export const factsFor = (hasMessage: boolean): ReadonlyArray<string> =>
  Object.keys(specs).filter((fact) => hasMessage || specs[fact]?.needsMessage === false)

const everyOperator = [...new Set(Object.values(operatorsOf).flat())]

/** Returns the operators of a fact. The type of metadata and custom fields is unknown, so they have all of them. */
export const operatorsFor = (fact: string): ReadonlyArray<Operator> => {
  const spec = specOf(fact)
  return spec === null ? everyOperator : operatorsOf[spec.type]
}

const lists: ReadonlyArray<string> = ["in", "not_in", "includes_any", "includes_all"]
const numeric: ReadonlyArray<string> = ["gt", "gte", "lt", "lte"]

/** Returns the form in which the value of a comparison is entered. */
export const formOf = ({ fact, op }: Pick<Comparison, "fact" | "op">): ValueForm => {
  if (op === "exists") return "truth"
  if (op === "between") return "range"
  if (lists.includes(op)) return "list"
  const type = specOf(fact)?.type
  if (type === "boolean") return "truth"
  return type === "number" || numeric.includes(op) ? "number" : "text"
}

const startOf = (comparison: Pick<Comparison, "fact" | "op">): Comparison["value"] => {
  const first = specOf(comparison.fact)?.oneOf?.[0] ?? ""
  return { truth: true, number: 0, range: [0, 100], list: first === "" ? [] : [first], text: first }[formOf(comparison)]
}

/** Returns a comparison with another fact. Operator and value stay if they suit the fact. */
export const withFact = (comparison: Comparison, fact: string): Comparison => {
  const op = operatorsFor(fact).find((one) => one === comparison.op) ?? operatorsFor(fact)[0] ?? "eq"
  const next = { fact, op }
  const isSame = formOf(next) === formOf(comparison) && specOf(fact)?.oneOf === specOf(comparison.fact)?.oneOf
  return { ...next, value: isSame ? comparison.value : startOf(next) }
}

/** Returns a comparison with another operator. The value stays if it has the same form. */
export const withOperator = (comparison: Comparison, op: Operator): Comparison => {
  const next = { fact: comparison.fact, op }
  return { ...next, value: formOf(next) === formOf(comparison) ? comparison.value : startOf(next) }
}

/** The comparison with which a condition about a message starts. */
const newComparison: Comparison = { fact: "message.text", op: "contains", value: "" }

const newContactComparison: Comparison = { fact: "contact.tags", op: "includes", value: "" }

/** Returns the comparison with which a condition starts, depending on whether the rule reacts to messages. */
export const startFor = (hasMessage: boolean): Comparison => (hasMessage ? newComparison : newContactComparison)

/** Returns a condition as a group, so that further conditions can be added. */
export const asGroup = (condition: Condition): Exclude<Condition, Comparison> =>
  "fact" in condition ? { all: [condition] } : condition

/** The kinds of groups. */
export const groupKinds = ["all", "any", "not"] as const
export type GroupKind = (typeof groupKinds)[number]

/** Returns the conditions of a group. */
export const membersOf = (group: Exclude<Condition, Comparison>): ReadonlyArray<Condition> => {
  if ("not" in group) return [group.not]
  return "all" in group ? group.all : group.any
}

/** Returns the kind of a group. */
export const kindOf = (group: Exclude<Condition, Comparison>): GroupKind =>
  "not" in group ? "not" : "all" in group ? "all" : "any"

/** Builds a group. A negation has one member, so several members become a group within it. */
export const groupOf = (kind: GroupKind, members: ReadonlyArray<Condition>): Exclude<Condition, Comparison> => {
  if (kind === "all") return { all: members }
  if (kind === "any") return { any: members }
  const [only] = members
  return { not: only !== undefined && members.length === 1 ? only : { all: members } }
}

/** Returns the rules in the order of their evaluation. */
export const inOrder = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> =>
  rules.toSorted((one, other) => one.priority - other.priority)

/** Moves a rule up (-1) or down (1). Both rules exchange their priorities, so that the others stay the same. */
export const moveRule = (rules: ReadonlyArray<Rule>, index: number, step: -1 | 1): ReadonlyArray<Rule> => {
  const [moved, neighbour] = [rules[index], rules[index + step]]
  if (moved === undefined || neighbour === undefined) return rules
  return rules
    .with(index, { ...neighbour, priority: moved.priority })
    .with(index + step, { ...moved, priority: neighbour.priority })
}

/** Returns a new rule after all others, with an unused id. */
export const newRule = (rules: ReadonlyArray<Rule>, name: string): Rule => {
  const ids = new Set(rules.map(({ id }) => id))
  const number = Array.from({ length: rules.length + 1 }, (_, index) => index + 1).find(
    (one) => !ids.has(`rule_${one}`)
  )
  return {
    id: `rule_${number}`,
    name,
    priority: (rules.at(-1)?.priority ?? 0) + 1,
    when: { all: [startFor(true)] },
    actions: [{ type: "tag", tag: "new" }]
  }
}
