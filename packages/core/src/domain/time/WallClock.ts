import { DateTime } from "effect"
import { timeFactsIn, type TimeFacts, timeZoneOf, weekdayNames } from "./TimeFacts.ts"

/** The number of minutes in a day. */
export const dayMinutes = 1_440

const minuteMillis = 60_000

/** A local time: the date as `YYYY-MM-DD`, and the minute of that day, 0 to 1439. */
export interface WallTime {
  readonly date: string
  readonly minuteOfDay: number
}

const asIfUtc = ({ date, minuteOfDay }: WallTime): number =>
  Date.parse(`${date}T00:00:00Z`) + minuteOfDay * minuteMillis

/** Returns the date that is a number of days after a date. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMinutes * minuteMillis).toISOString().slice(0, 10)

/** Returns true for a date that exists in the calendar. */
export const isDate = (date: string): boolean =>
  !Number.isNaN(Date.parse(`${date}T00:00:00Z`)) && addDays(date, 0) === date

/** Returns the weekday of a date, `sun` to `sat`. */
export const weekdayOf = (date: string): string => weekdayNames[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ""

/** Parses a time such as `09:30` to minutes since midnight. Returns null for other texts. */
export const minutesOf = (clock: string): number | null => {
  const [, hours = "", minutes = ""] = /^([01]?\d|2[0-3]):([0-5]\d)$/u.exec(clock) ?? []
  return hours === "" ? null : Number(hours) * 60 + Number(minutes)
}

/** Converts between epoch milliseconds and local time in one IANA zone. */
export interface WallClock {
  readonly read: (millis: number) => TimeFacts
  /**
   * Returns the moment of a local time. If a clock change repeats the local time, returns the first moment. If a clock
   * change skips the local time, returns the moment that is later by the length of the change: 03:30 for a skipped
   * 02:30.
   */
  readonly moment: (time: WallTime) => number
  /** Returns all moments of a local time in order. A skipped time has none, a repeated one has two. */
  readonly moments: (time: WallTime) => ReadonlyArray<number>
}

/** Returns the clock of an IANA time zone; null for an unknown zone. */
export const wallClockIn = (zone: string): WallClock | null => {
  const read = timeFactsIn(zone)
  const timeZone = timeZoneOf(zone)
  if (read === null || timeZone === null) return null
  const convert = (time: WallTime, disambiguation: DateTime.Disambiguation): number =>
    DateTime.toEpochMillis(
      DateTime.makeZonedUnsafe(asIfUtc(time), { timeZone, adjustForTimeZone: true, disambiguation })
    )
  return {
    read,
    moment: (time) => convert(time, "compatible"),
    moments: (time) =>
      [...new Set([convert(time, "earlier"), convert(time, "later")])].filter(
        (millis) => asIfUtc(read(millis)) === asIfUtc(time)
      )
  }
}

/** Returns the clock of a time zone. An unknown zone counts as UTC. */
export const wallClock = (zone: string): WallClock => {
  const clock = wallClockIn(zone) ?? wallClockIn("UTC")
  if (clock === null)
    throw new Error("This platform has no time zone data for UTC. Use a Node.js build with full ICU data.")
  return clock
}
