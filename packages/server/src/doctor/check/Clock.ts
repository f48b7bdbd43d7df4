import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import type { DoctorContext } from "../DoctorContext.ts"

/** Clocks that are kept by NTP differ by less. */
const noticedMillis = 2_000
/** Half of a lease: servers that differ by more take each other's work away. */
const harmfulMillis = 15_000
/** No clock of a machine that runs this program shows less: 2026-01-01. A battery is empty, or nobody set it. */
const earliest = 1_767_225_600_000

const advice = "Let NTP keep the clocks of all machines (timedatectl set-ntp true)."

/** What it means that another clock is ahead of ours. */
export const compareClocks = (whose: string, aheadMillis: number): Finding => {
  const away = Math.abs(aheadMillis)
  const found = `The clock of ${whose} is ${(away / 1_000).toFixed(1)} s ${aheadMillis < 0 ? "behind" : "ahead of"} this machine's.`
  if (away > harmfulMillis) return problem(found, advice)
  return away > noticedMillis ? warning(found, advice) : healthy(found)
}

/** What it means that this machine shows a time. Epoch milliseconds. */
export const judgeTime = (now: number): Finding =>
  now < earliest
    ? problem(`This machine's clock shows ${new Date(now).toISOString()}.`, advice)
    : healthy(`This machine's clock shows ${new Date(now).toISOString()}.`)

const others = ({ database, server }: DoctorContext): ReadonlyArray<Finding> => [
  ...(database?.kind === "seen" && database.examination.kind === "postgres"
    ? [compareClocks("the database", database.examination.clockAheadMillis)]
    : []),
  ...(server === null || server.clockAheadMillis === null ? [] : [compareClocks("the server", server.clockAheadMillis)])
]

/** Everybody means the same time. */
export const clock: Check = {
  name: "clock",
  run: (context) => Effect.sync(() => [judgeTime(Date.now()), ...others(context)])
}
