/**
 * Local time: time zones, quiet hours, clock changes and retry waits. The current time is always an argument. Spoken
 * dates belong to `domain/assistant`.
 * Tests: `packages/core/test/domain/time`.
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

/**
 * Returns a function that converts epoch milliseconds to local time in an IANA zone, with daylight saving time. Null
 * for an unknown zone. Store the function with the configuration, because its creation loads the rules of the zone and
 * is slow.
 */
export const timeFactsIn = (zone: string): ((millis: number) => TimeFacts) | null => {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit"
    })
  } catch {
    return null
  }
  return (millis) => {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
    for (const part of format.formatToParts(millis)) parts[part.type] = part.value
    const hour = Number(parts.hour)
    return {
      hour,
      minuteOfDay: hour * 60 + Number(parts.minute),
      weekday: (parts.weekday ?? "").toLowerCase(),
      date: `${parts.year}-${parts.month}-${parts.day}`
    }
  }
}
