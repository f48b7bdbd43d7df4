import { comparisonText, valueText } from "../Conditions.ts"
import { count } from "../Count.ts"

/** The names of rules by id. */
export type RuleNames = ReadonlyMap<string, string>

const noNames: RuleNames = new Map()

/** The kinds of automatic mail, as subjects of a sentence. */
const automatic: Readonly<Record<string, string>> = {
  list: "mail from a mailing list",
  auto_reply: "an automatic reply",
  bounce: "a report about undelivered mail",
  own: "our own mail"
}

/** The reasons of actions that only point to another part of the page. */
const pointers: ReadonlySet<string> = new Set(["see the reply step", "see the reply and route steps"])

const ruleOf = (id: string, names: RuleNames): string => `“${names.get(id) ?? id}”`

/** Returns a reason of the server in the words of the console. Unknown reasons stay as they are. */
export const reasonWords = (reason: string, names: RuleNames = noNames): string => {
  if (pointers.has(reason)) return ""
  return reason
    .replace(/^automatic mail \((?<kind>\w+)\)/u, (all, kind: string) => automatic[kind] ?? all)
    .replace(/^(?<matched>\d+) rules matched/u, (_, matched: string) =>
      count(Number(matched), "rule matched", "rules matched")
    )
    .replace(/^(?<done>\d+) actions$/u, (_, done: string) => count(Number(done), "action", "actions"))
    .replace(/\brule (?<id>[\w-]+) (?<verb>stopped|suppresses)\b/u, (_, id: string, verb: string) => {
      return `the rule ${ruleOf(id, names)} ${verb}`
    })
    .replace(/\bof rule (?<id>[\w-]+)/u, (_, id: string) => `of the rule ${ruleOf(id, names)}`)
}

/** A comparison in a reason: fact, operator, needed value and actual value. */
const pattern = /^(?<fact>[\w.]+) (?<op>[a-z_]+) (?<value>.+): it is (?<actual>.+)$/u

const negation = /^not \((?<negated>.+)\)$/u

const isValue = (value: unknown): value is string | number | boolean | ReadonlyArray<string | number | boolean> =>
  ["string", "number", "boolean"].includes(typeof value) || Array.isArray(value)

/** Values are JSON, unless the server has cut them. */
const parsed = (json: string): unknown => {
  if (json === "missing") return null
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const comparisonWords = (part: string, isMatch: boolean): string | null => {
  const { negated } = negation.exec(part)?.groups ?? {}
  if (negated !== undefined) {
    const words = comparisonWords(negated, true)
    return words === null ? null : `it is ${isMatch ? "not " : ""}the case that ${words}`
  }
  const { actual = "", fact = "", op = "", value = "" } = pattern.exec(part)?.groups ?? {}
  const [needed, found] = [parsed(value), parsed(actual)]
  if (!isValue(needed) || found === undefined) return null
  const condition = comparisonText({ fact, op, value: needed })
  return isMatch ? condition : `${condition}? The value is ${valueText(found)}`
}

/** Returns why a rule matched or did not match in the words of the editor of rules; null if the reason is not known. */
export const conditionWords = (reason: string, isMatch: boolean): string | null => {
  const parts = reason.split("; ").map((part) => comparisonWords(part, isMatch))
  return parts.includes(null) ? null : parts.join(isMatch ? " and " : ". ")
}
