import type { WallClock } from "./WallClock.ts"
import { periodsOf, type WorkingHours, workingDays } from "./WorkingHours.ts"

/** Returns the working time between two moments, in seconds. */
export type BusinessSeconds = (from: number, to: number) => number

const dayMillis = 86_400_000
const weekDays = workingDays.length

/** The number of days from a Monday to 1 January 1970, a Thursday. */
const epochDayOfWeek = 3

/**
 * Returns the function that measures working time by the local clock. A period that contains a clock change therefore
 * has its usual length. The cost does not depend on the length of the interval, because a sender chooses the time of a
 * mail. There are no holidays.
 */
export const businessTime = (hours: WorkingHours, clock: WallClock): BusinessSeconds => {
  const week = workingDays.map((day) => periodsOf(hours, day).map(([from, to]) => [from * 60, to * 60] as const))
  const workedOn = (day: number, second: number): number =>
    (week[day] ?? []).reduce((sum, [from, to]) => sum + Math.max(0, Math.min(second, to) - from), 0)
  const dayTotals = week.map((_, day) => workedOn(day, Number.POSITIVE_INFINITY))
  const totalOf = (days: number): number => dayTotals.slice(0, days).reduce((sum, seconds) => sum + seconds, 0)
  /** The working time from a fixed Monday to a moment. */
  const workedUntil = (millis: number): number => {
    const { date, minuteOfDay } = clock.read(millis)
    const day = Date.parse(`${date}T00:00:00Z`) / dayMillis + epochDayOfWeek
    const weeks = Math.floor(day / weekDays)
    const dayOfWeek = day - weeks * weekDays
    const second = minuteOfDay * 60 + (Math.floor(millis / 1_000) - Math.floor(millis / 60_000) * 60)
    return weeks * totalOf(weekDays) + totalOf(dayOfWeek) + workedOn(dayOfWeek, second)
  }
  return (from, to) => Math.max(0, workedUntil(to) - workedUntil(from))
}
