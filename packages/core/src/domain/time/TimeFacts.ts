/** A moment as a clock on the tenant's wall shows it. */
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
 * A reader of moments (epoch milliseconds) for one IANA time zone, daylight saving included; null when nobody knows the
 * zone. Making one is slow (it loads the zone's rules) and reading is fast: keep it with the configuration.
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
