type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>

/** Parts of a date: how they are put together is not left to the platform, whose versions differ. */
const partsOf = (locale: string, options: Intl.DateTimeFormatOptions, millis: number): Parts => {
  const parts: Parts = {}
  for (const { type, value } of new Intl.DateTimeFormat(locale, options).formatToParts(millis)) parts[type] = value
  return parts
}

/** A date as one says it, at a place: `Monday 2 March 2026`. */
export const formatSpokenDate = (millis: number, timeZone: string): string => {
  const options = { timeZone, weekday: "long", day: "numeric", month: "long", year: "numeric" } as const
  const { day, month, weekday, year } = partsOf("en-GB", options, millis)
  return `${weekday} ${day} ${month} ${year}`
}

/** A moment as one says it on the telephone, on the wall of a place: `Monday 2 March 2026, 15:00`. */
export const formatSpokenTime = (millis: number, timeZone: string): string => {
  const options = { timeZone, hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const
  const { hour, minute } = partsOf("en-GB", options, millis)
  return `${formatSpokenDate(millis, timeZone)}, ${hour}:${minute}`
}

/**
 * A moment as a caller can confirm it, with the full date, the time and the zone in words:
 * `Monday 2 March 2026 at 3:00 PM, Central European Standard Time`.
 */
export const confirmedTime = (millis: number, timeZone: string): string => {
  const options = { timeZone, hour: "numeric", minute: "2-digit", timeZoneName: "long" } as const
  const { dayPeriod, hour, minute, timeZoneName } = partsOf("en-US", options, millis)
  return `${formatSpokenDate(millis, timeZone)} at ${hour}:${minute} ${dayPeriod}, ${timeZoneName}`
}
