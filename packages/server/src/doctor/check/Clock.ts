import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import type { DoctorContext } from "../DoctorContext.ts"

/** The smallest difference that is reported. Clocks that NTP synchronises differ by less. */
const noticedMillis = 2_000
/**
 * The difference from which a problem is reported: half of the time of a lease. With a larger difference, a server may
 * claim jobs whose lease another server still holds.
 */
const harmfulMillis = 15_000
/** The earliest plausible time: 2026-01-01. This program was written later. */
const earliest = 1_767_225_600_000

const advice = "Synchronise the clocks of all machines by NTP (timedatectl set-ntp true)."

/** Judges the difference between another clock and this machine's clock. */
export const compareClocks = (whose: string, aheadMillis: number): Finding => {
  const away = Math.abs(aheadMillis)
  const found = `The clock of ${whose} is ${(away / 1_000).toFixed(1)} s ${aheadMillis < 0 ? "behind" : "ahead of"} this machine's.`
  if (away > harmfulMillis) return problem(found, advice)
  return away > noticedMillis ? warning(found, advice) : healthy(found)
}

/** Judges the time that this machine's clock shows, in epoch milliseconds. */
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

/** Checks that the clocks of this machine, the database and the server agree. */
export const clock: Check = {
  name: "clock",
  run: (context) => Effect.sync(() => [judgeTime(Date.now()), ...others(context)])
}
