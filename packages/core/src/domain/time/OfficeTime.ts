import { Schema } from "effect"
import type { TimeFacts } from "./TimeFacts.ts"
import { isDate, minutesOf } from "./WallClock.ts"

/** The maximum number of holidays of a tenant. */
export const maxHolidays = 100

/** A leap year, so that 02-29 is a date. */
const anyYear = "2000"

/** Returns whether a text is a date (`YYYY-MM-DD`), or a day of every year (`MM-DD`). */
const isHolidayText = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/u.test(text) ? isDate(text) : /^\d\d-\d\d$/u.test(text) && isDate(`${anyYear}-${text}`)

/** A day on which the business is closed. */
export const Holiday = Schema.String.check(
  Schema.makeFilter((text) => isHolidayText(text), {
    message: "Expected a date such as 2026-04-03, or 12-25 for every year"
  })
)

/** The hours of a business, as `HH:MM`. The end is exclusive. */
export interface OfficeHours {
  readonly days: ReadonlyArray<string>
  readonly from: string
  readonly to: string
}

/** Whether a business works at a moment. */
export interface OfficeTime {
  readonly isOpen: boolean
  readonly isHoliday: boolean
}

/** Returns the function that states whether a business with these hours and holidays works at a local time. */
export const officeTimeWith = (
  { days, from, to }: OfficeHours,
  holidays: ReadonlyArray<string>
): ((time: TimeFacts) => OfficeTime) => {
  const [start, end] = [minutesOf(from) ?? 0, minutesOf(to) ?? 0]
  const open = new Set(days)
  const closed = new Set(holidays)
  return ({ date, minuteOfDay, weekday }) => {
    const isHoliday = closed.size > 0 && (closed.has(date) || closed.has(date.slice(5)))
    return { isHoliday, isOpen: !isHoliday && open.has(weekday) && minuteOfDay >= start && minuteOfDay < end }
  }
}
