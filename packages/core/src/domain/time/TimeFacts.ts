import { DateTime, Option } from "effect"

/**
 * Local time: time zones, quiet hours and clock changes; and the delays of retries. The current time is always an
 * argument. Spoken dates belong to `domain/assistant`. Tests: `packages/core/test/domain/time`.
 */

/** A moment in the tenant's local time. */
export interface TimeFacts {
  /** 0 to 23. */
  readonly hour: number
  /** 0 to 1439. */
  readonly minuteOfDay: number
  /** `mon` to `sun`. */
  readonly weekday: string
  /** `YYYY-MM-DD`. */
  readonly date: string
}

/** The names of weekdays, `sun` to `sat`. */
export const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

/**
 * Returns an IANA time zone; null for an unknown one. Effect caches each spelling of a name without a limit. The name
 * is therefore converted to lower case first, so that only a few hundred zones and 2,880 offsets such as `+05:30` can
 * be cached.
 */
export const timeZoneOf = (name: string): DateTime.TimeZone.Named | null =>
  Option.getOrNull(DateTime.zoneMakeNamed(name.replace(/[A-Z]/gu, (letter) => letter.toLowerCase())))

/**
 * Returns a function that converts epoch milliseconds to local time in an IANA zone, with daylight saving time. Returns
 * null for an unknown zone. Offsets are whole minutes, so all times within a minute share one cached conversion. A
 * conversion takes 9 µs, and most messages are decided within the same minute as the previous one.
 */
export const timeFactsIn = (zone: string): ((millis: number) => TimeFacts) | null => {
  const timeZone = timeZoneOf(zone)
  if (timeZone === null) return null
  let minute = Number.NaN
  let facts: TimeFacts
  return (millis) => {
    const wanted = Math.floor(millis / 60_000)
    if (wanted === minute) return facts
    const local = DateTime.makeZonedUnsafe(wanted * 60_000, { timeZone })
    const { hour, minute: minuteOfHour, weekDay } = DateTime.toParts(local)
    facts = {
      hour,
      minuteOfDay: hour * 60 + minuteOfHour,
      weekday: weekdayNames[weekDay] ?? "",
      date: DateTime.formatIsoDate(local)
    }
    minute = wanted
    return facts
  }
}
