type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>

/**
 * Returns the parts of a date. The functions below join the parts themselves, because the platform's own formats differ
 * between versions.
 */
const partsOf = (locale: string, options: Intl.DateTimeFormatOptions, millis: number): Parts => {
  const parts: Parts = {}
  for (const { type, value } of new Intl.DateTimeFormat(locale, options).formatToParts(millis)) parts[type] = value
  return parts
}

/** Formats a local date for speech: `Monday 2 March 2026`. */
export const formatSpokenDate = (millis: number, timeZone: string): string => {
  const options = { timeZone, weekday: "long", day: "numeric", month: "long", year: "numeric" } as const
  const { day, month, weekday, year } = partsOf("en-GB", options, millis)
  return `${weekday} ${day} ${month} ${year}`
}

/** Formats a local date and time for speech: `Monday 2 March 2026, 15:00`. */
export const formatSpokenTime = (millis: number, timeZone: string): string => {
  const options = { timeZone, hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const
  const { hour, minute } = partsOf("en-GB", options, millis)
  return `${formatSpokenDate(millis, timeZone)}, ${hour}:${minute}`
}

/**
 * Formats a moment for the caller's confirmation, with the full date, the time, and the name of the time zone: `Monday
 * 2 March 2026 at 3:00 PM, Central European Standard Time`.
 */
export const confirmedTime = (millis: number, timeZone: string): string => {
  const options = { timeZone, hour: "numeric", minute: "2-digit", timeZoneName: "long" } as const
  const { dayPeriod, hour, minute, timeZoneName } = partsOf("en-US", options, millis)
  return `${formatSpokenDate(millis, timeZone)} at ${hour}:${minute} ${dayPeriod}, ${timeZoneName}`
}
