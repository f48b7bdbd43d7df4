import { Schema } from "effect"
import { addDays, minutesOf, type WallClock, weekdayOf } from "./WallClock.ts"

/** The days of working hours, Monday first. */
export const workingDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

/** The maximum number of periods: three for each day. */
export const maxWorkingPeriods = 21

const clockTime = Schema.String.check(Schema.isPattern(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/u))

/** The same period of work on some days of the week, in local time. */
export const WorkingPeriod = Schema.Struct({
  days: Schema.Array(Schema.Literals(workingDays))
    .check(Schema.isMinLength(1), Schema.isMaxLength(workingDays.length))
    .annotate({ description: "The days of the week with this period" }),
  from: clockTime.annotate({ description: "The start in local time, for example 09:00" }),
  to: clockTime.annotate({ description: "The end in local time, for example 17:00. 24:00: the end of the day" })
}).annotate({
  identifier: "WorkingPeriod",
  description: "The same period of work on some days of the week, in local time"
})

/** The periods of work of a week. */
export const WorkingHours = Schema.Array(WorkingPeriod).check(Schema.isMaxLength(maxWorkingPeriods))

export type WorkingHours = typeof WorkingHours.Type

const minuteOf = (clock: string): number => (clock === "24:00" ? 1_440 : (minutesOf(clock) ?? 0))

/** Returns the periods of a day as minutes since midnight, `[start, end)`. */
export const periodsOf = (hours: WorkingHours, day: string): ReadonlyArray<readonly [number, number]> =>
  hours
    .filter(({ days }) => days.some((one) => one === day))
    .map(({ from, to }) => [minuteOf(from), minuteOf(to)] as const)

/** Returns whether a local time is within working hours. */
export const isWithin = (
  hours: WorkingHours,
  { minuteOfDay, weekday }: { readonly weekday: string; readonly minuteOfDay: number }
): boolean => periodsOf(hours, weekday).some(([from, to]) => minuteOfDay >= from && minuteOfDay < to)

/** The days in which the next start of a period is searched. */
const searchedDays = 15

/** Returns the next start of a period after a time, in epoch milliseconds; null if there is no period. */
export const nextStart = (hours: WorkingHours, clock: WallClock, at: number): number | null => {
  const { date } = clock.read(at)
  for (let day = 0; day < searchedDays; day++) {
    const on = addDays(date, day)
    const starts = periodsOf(hours, weekdayOf(on)).map(([from]) => clock.moment({ date: on, minuteOfDay: from }))
    const next = Math.min(...starts.filter((start) => start > at))
    if (Number.isFinite(next)) return next
  }
  return null
}

/** Returns why working hours are invalid; null if they are valid. Periods end after they start and do not overlap. */
export const workingHoursFault = (hours: WorkingHours): string | null => {
  for (const day of workingDays) {
    const periods = periodsOf(hours, day).toSorted(([a], [b]) => a - b)
    if (periods.some(([from, to]) => to <= from)) return `A period on ${day} must end after it starts.`
    if (periods.some(([from], index) => from < (periods[index - 1]?.[1] ?? 0))) return `Periods on ${day} overlap.`
  }
  return null
}
