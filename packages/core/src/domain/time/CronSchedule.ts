import { Cron, Result } from "effect"
import { timeZoneOf } from "./TimeFacts.ts"

/** The maximum length of a cron expression, in characters. */
export const maxCronLength = 100

/** The minimum time between two firings of a schedule, in milliseconds. */
export const minFiringMillis = 3_600_000

/** The number of days of each month in a leap year. */
const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Returns whether a schedule names only days that no month has, for example 31 February. */
const namesNoDay = ({ days, months, weekdays }: Cron.Cron): boolean => {
  if (days.size === 0 || weekdays.size > 0) return false
  const longest = Math.max(...[...(months.size === 0 ? [1] : months)].map((month) => monthDays[month - 1] ?? 31))
  return Math.min(...days) > longest
}

const parse = (expression: string, timeZone: string): Cron.Cron | null => {
  const zone = timeZoneOf(timeZone) ?? timeZoneOf("UTC")
  // Five fields: the seconds are those of the full minute.
  if (zone === null || expression.length > maxCronLength || expression.trim().split(/\s+/u).length !== 5) return null
  return Result.getOrElse(Cron.parse(expression, zone, { onDstOverlap: "earlier" }), () => null)
}

/** Returns why a schedule cannot be saved; null if it can. */
export const cronFault = (expression: string): string | null => {
  const cron = parse(expression, "UTC")
  if (cron === null)
    return "Expected a cron expression with five fields: minute, hour, day of the month, month, day of the week. For example 0 9 * * 1."
  if (cron.minutes.size !== 1) return "A schedule fires at most once per hour. Name one minute, for example 0 * * * *."
  return namesNoDay(cron) ? "The schedule names a day that no month has." : null
}

/**
 * Returns the first firing of a schedule after a moment (epoch milliseconds), in the local time of an IANA zone. Null
 * for an invalid schedule. A local time that a clock change skips fires when the clock has changed, and one that the
 * change repeats fires at its first occurrence.
 */
export const nextFiring = (expression: string, timeZone: string, after: number): number | null => {
  const cron = cronFault(expression) === null ? parse(expression, timeZone) : null
  return cron === null ? null : Cron.next(cron, after).getTime()
}
