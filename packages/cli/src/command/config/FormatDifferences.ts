import type { ChangedValue } from "@leadloom/server/internal/admin/CheckTenantConfig"
import type { Terminal } from "../../Terminal.ts"

/** The maximum length of a value that the summary of a difference contains. */
const maxSummaryValue = 80

const isInSummary = (value: unknown): boolean => {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  return value === undefined || (!isObject && JSON.stringify(value).length <= maxSummaryValue)
}

const linesOf = (value: unknown): ReadonlyArray<string> => {
  if (value === undefined) return []
  return (typeof value === "string" ? value : JSON.stringify(value, null, 2)).split("\n")
}

const commonStart = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const end = one.findIndex((line, index) => line !== other[index])
  return end === -1 ? one.length : end
}

/** Returns the lines that differ, without the common lines at the start and at the end. */
const changedLines = ({ after, before }: ChangedValue) => {
  const [old, now] = [linesOf(before), linesOf(after)]
  const start = commonStart(old, now)
  const [oldRest, nowRest] = [old.slice(start), now.slice(start)]
  const end = commonStart(oldRest.toReversed(), nowRest.toReversed())
  return { removed: oldRest.slice(0, oldRest.length - end), added: nowRest.slice(0, nowRest.length - end) }
}

const format = ({ style }: Terminal, changed: ChangedValue): string => {
  if (isInSummary(changed.before) && isInSummary(changed.after)) return `${changed.summary}\n`
  const { added, removed } = changedLines(changed)
  return [
    changed.summary,
    ...removed.map((line) => style("red", `  - ${line}`)),
    ...added.map((line) => style("green", `  + ${line}`)),
    ""
  ].join("\n")
}

/** Formats changed values: a sentence for each, and the changed lines of long values. */
export const formatDifferences = (terminal: Terminal, changed: ReadonlyArray<ChangedValue>): string =>
  changed.map((one) => format(terminal, one)).join("")
