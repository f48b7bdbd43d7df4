import type { WallClock, WallTime } from "../time/WallClock.ts"
import { addDays, weekdayOf } from "../time/WallClock.ts"

/** The maximum interval of a recurrence: every 99 days, weeks or months. */
export const maxInterval = 99

/** The maximum number of days until the next occurrence. The search ends after them. */
export const maxDaysAhead = 10_000

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

/** A weekday of a recurrence. `nth` selects one of the month: 1 the first, -1 the last; null: every one. */
interface ByDay {
  readonly weekday: string
  readonly nth: number | null
}

/** A recurrence: the subset FREQ, INTERVAL and BYDAY of an RRULE (RFC 5545 section 3.3.10). */
export interface Recurrence {
  readonly frequency: "DAILY" | "WEEKLY" | "MONTHLY"
  readonly interval: number
  readonly byDay: ReadonlyArray<ByDay>
}

const frequencies = ["DAILY", "WEEKLY", "MONTHLY"] as const

const readDay = (text: string): ByDay | null => {
  const [, nth = "", letters = ""] = /^([+-]?[1-5])?([A-Z]{2})$/u.exec(text) ?? []
  const weekday = weekdays.find((name) => name.slice(0, 2).toUpperCase() === letters)
  return weekday === undefined ? null : { weekday, nth: nth === "" ? null : Number(nth) }
}

const readDays = (text: string | undefined): ReadonlyArray<ByDay> | null => {
  if (text === undefined) return []
  const days = text.split(",").map(readDay)
  return days.every((day) => day !== null) ? days : null
}

/** Returns the parts of a rule by name. Null if a part is malformed, repeated or not supported. */
const partsOf = (text: string): ReadonlyMap<string, string> | null => {
  const parts = new Map<string, string>()
  for (const part of text.toUpperCase().split(";")) {
    const [name = "", value = "", ...more] = part.split("=")
    if (!["FREQ", "INTERVAL", "BYDAY"].includes(name) || value === "" || more.length > 0 || parts.has(name)) return null
    parts.set(name, value)
  }
  return parts
}

/** Parses a recurrence such as `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH`. Returns null for any other text. */
export const parseRecurrence = (text: string): Recurrence | null => {
  const parts = partsOf(text)
  const frequency = frequencies.find((one) => one === parts?.get("FREQ"))
  const interval = Number(parts?.get("INTERVAL") ?? 1)
  const byDay = readDays(parts?.get("BYDAY"))
  if (frequency === undefined || byDay === null) return null
  if (!Number.isInteger(interval) || interval < 1 || interval > maxInterval) return null
  if (frequency !== "MONTHLY" && byDay.some(({ nth }) => nth !== null)) return null
  return { frequency, interval, byDay }
}

const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000
/** Counts weeks that begin on Monday. 1970-01-01 was a Thursday. */
const weekNumber = (date: string): number => Math.floor((dayNumber(date) + 3) / 7)
const monthNumber = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))
const dayOfMonth = (date: string): number => Number(date.slice(8))

const isNth = (date: string, nth: number): boolean => {
  const fromStart = Math.ceil(dayOfMonth(date) / 7)
  if (nth > 0) return nth === fromStart
  const isInMonth = (weeks: number): boolean => monthNumber(addDays(date, 7 * weeks)) === monthNumber(date)
  return isInMonth(-nth - 1) && !isInMonth(-nth)
}

const isListed = (date: string, byDay: Recurrence["byDay"]): boolean =>
  byDay.some(({ nth, weekday }) => weekday === weekdayOf(date) && (nth === null || isNth(date, nth)))

const stepOf = { DAILY: dayNumber, WEEKLY: weekNumber, MONTHLY: monthNumber }

/** Returns whether the rule has an occurrence on a date, if it has one on the date `from`. */
const occursOn = ({ byDay, frequency, interval }: Recurrence, from: string, date: string): boolean => {
  if ((stepOf[frequency](date) - stepOf[frequency](from)) % interval !== 0) return false
  if (byDay.length > 0) return isListed(date, byDay)
  if (frequency === "WEEKLY") return weekdayOf(date) === weekdayOf(from)
  return frequency === "DAILY" || dayOfMonth(date) === dayOfMonth(from)
}

/**
 * Returns the first occurrence after both `from` and `after`, in epoch milliseconds. `from` is the local time of an
 * occurrence. The local time of day stays the same across clock changes. A month without the day has no occurrence, as
 * in RFC 5545. Returns null if there is no occurrence within `maxDaysAhead` days.
 */
export const nextOccurrence = (rule: Recurrence, from: WallTime, after: number, clock: WallClock): number | null => {
  const { minuteOfDay } = from
  const today = clock.read(after).date
  const first = today > from.date ? today : addDays(from.date, 1)
  for (let ahead = 0; ahead < maxDaysAhead; ahead++) {
    const date = addDays(first, ahead)
    if (!occursOn(rule, from.date, date)) continue
    const moment = clock.moment({ date, minuteOfDay })
    if (moment > after) return moment
  }
  return null
}
