import { propertyTable } from "../Table.ts"
import { arrivals, type Tally } from "./Tally.ts"

/** The result of an import, for people and programs. */
export interface Summary extends Tally {
  readonly arrivals: number
  /** The number of files without mail. */
  readonly ignored: number
  readonly seconds: number
  readonly perSecond: number
  readonly interrupted: boolean
}

/** The maximum number of failures that the summary lists. Further failures are only counted. */
const failuresShown = 20

const meaning: Readonly<Record<string, string>> = {
  message: "new messages",
  duplicate_of: "duplicates of known messages",
  auto: "automatic replies and list mail",
  bounce: "bounces",
  own: "the tenant's own mail",
  quarantined: "quarantined",
  failed: "failed"
}

/** Summarises an import. */
export const summarise = (
  tally: Tally,
  about: { readonly ignored: number; readonly seconds: number; readonly interrupted: boolean }
): Summary => {
  const total = arrivals(tally)
  const perSecond = about.seconds > 0 ? Math.round((total / about.seconds) * 10) / 10 : total
  return { ...tally, arrivals: total, ...about, seconds: Math.round(about.seconds * 100) / 100, perSecond }
}

/** Returns the summary in the format of `--json`. */
export const summaryJson = ({ perSecond, ...summary }: Summary): unknown => ({ ...summary, per_second: perSecond })

const failures = (summary: Summary): string => {
  const { failed } = summary
  const shown = failed.slice(0, failuresShown).map(({ name, detail }) => `  ${name}: ${detail}\n`)
  const rest = failed.length - shown.length
  return failed.length === 0 ? "" : `\nFailed:\n${shown.join("")}${rest > 0 ? `  and ${rest} more\n` : ""}`
}

/** Formats the summary as text. */
export const formatSummary = (summary: Summary): string => {
  const counted = Object.entries(meaning).flatMap(([outcome, words]) => {
    const count = summary.outcomes[outcome] ?? 0
    return count === 0 ? [] : [[words, String(count)] as const]
  })
  const line = propertyTable([
    ["mails imported", String(summary.arrivals)],
    ...counted.map(([words, count]) => [`  ${words}`, count] as const),
    ...(summary.skipped > 0 ? [["imported earlier", String(summary.skipped)] as const] : []),
    ...(summary.ignored > 0 ? [["other files", `${summary.ignored} (no mail)`] as const] : []),
    ["threads", String(summary.threads)],
    ["contacts", String(summary.contacts)],
    ["time", `${summary.seconds} s, ${summary.perSecond} mails per second`]
  ])
  const stopped = summary.interrupted ? "\nStopped. Run the same command again to continue.\n" : ""
  return line + failures(summary) + stopped
}
