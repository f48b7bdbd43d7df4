import type { Rule } from "@leadloom/client"
import { capitalized } from "../Conditions.ts"

/** The texts of the history of the configuration. */
export const historyText = {
  close: "Back to the versions",
  list: "Versions of the configuration",
  empty: "Nobody has changed the configuration yet.",
  columns: { version: "Version", time: "Time", by: "Changed by", comment: "Comment", summary: "Changes" },
  show: (version: number) => `Show version ${version}`,
  title: (version: number) => `Version ${version}`,
  current: "in use",
  first: "The first version",
  savedBy: (name: string, time: string) => `Saved by ${name} on ${time}.`,
  restore: (version: number) => `Restore the rules of version ${version}`,
  restoreHelp: "This saves a new version with the old rules. All other settings stay, and no version is lost.",
  restoreAction: "Restore",
  restoreComment: (version: number) => `Restored the rules of version ${version}`,
  effect: (current: number) => `Compared with version ${current}, which is in use, restoring it changes this:`,
  same: "Its rules are the same as those in use.",
  changed: "What this version changed",
  unchanged: "This version changed no rule.",
  asJson: "Show the changes as JSON",
  jsonEffect: (version: number, current: number) => `Rules of version ${version}, compared with version ${current}`,
  jsonChange: (version: number) => `Rules of version ${version}, compared with the version before it`,
  added: (name: string) => `Rule “${name}” added`,
  removed: (name: string) => `Rule “${name}” removed`,
  changedRule: (name: string) => `Rule “${name}” changed`,
  reordered: "Rules reordered",
  setting: (name: string) => `Setting “${name}” changed`,
  before: "Before:",
  after: "After:",
  more: (number: number) => `and ${number} more`
} as const

/** A changed value of the configuration, with its place. */
interface Difference {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** The most changes that one line names. */
const maxNamed = 3

const settingName = (path: string): string => capitalized((path.split(".")[0] ?? path).replaceAll("_", " "))

const ruleChange = ({ after, before, path }: Difference, rules: ReadonlyMap<string, string>): string => {
  const place = path.slice("rules.".length)
  const id = [...rules.keys()].find((one) => place === one || place.startsWith(`${one}.`)) ?? place.split(".")[0] ?? ""
  const given = Object(before ?? after).name
  const name = rules.get(id) ?? (place === id && typeof given === "string" ? given : id)
  if (place !== id) return historyText.changedRule(name)
  if (before === undefined) return historyText.added(name)
  return after === undefined ? historyText.removed(name) : historyText.changedRule(name)
}

/** Returns the changes of a version in words, one per rule or setting. `rules` contains the names of rules by id. */
export const summaryOf = (differences: ReadonlyArray<Difference>, rules: ReadonlyMap<string, string>): string => {
  const all = differences.map((one) => {
    if (one.path === "rules") return historyText.reordered
    return one.path.startsWith("rules.") ? ruleChange(one, rules) : historyText.setting(settingName(one.path))
  })
  const named = [...new Set(all)]
  const shown = named.slice(0, maxNamed)
  return [...shown, ...(named.length > maxNamed ? [historyText.more(named.length - maxNamed)] : [])].join(", ")
}

/** A difference between two sets of rules. */
export interface RuleDifference {
  readonly id: string
  readonly title: string
  readonly before: Rule | null
  readonly after: Rule | null
}

/** Returns the rules that differ between two versions, and whether the order of the others differs. */
export const ruleDifferences = (
  before: ReadonlyArray<Rule>,
  after: ReadonlyArray<Rule>
): ReadonlyArray<RuleDifference> => {
  const [old, now] = [before, after].map((rules) => new Map(rules.map((rule) => [rule.id, rule] as const)))
  const ids = [...new Set([...after, ...before].map(({ id }) => id))]
  return ids.flatMap((id): ReadonlyArray<RuleDifference> => {
    const [one, other] = [old?.get(id) ?? null, now?.get(id) ?? null]
    if (JSON.stringify(one) === JSON.stringify(other)) return []
    const name = (other ?? one)?.name ?? id
    const title =
      one === null
        ? historyText.added(name)
        : other === null
          ? historyText.removed(name)
          : historyText.changedRule(name)
    return [{ id, title, before: one, after: other }]
  })
}
