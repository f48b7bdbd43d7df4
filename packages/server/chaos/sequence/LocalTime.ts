/** Local times by `Intl`. The model must not share the code of the product. */

/** A local time. */
export interface Local {
  /** YYYY-MM-DD. */
  readonly date: string
  /** The minute of the day. */
  readonly minute: number
  readonly weekday: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", weekday: "short", ...parts })
  formats.set(zone, format)
  return format
}

/** Returns the local time of a moment. */
export const localOf = (zone: string, at: number): Local => {
  const parts: Record<string, string> = {}
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = value
  const { day = "", hour = "", minute = "", month = "", weekday = "", year = "" } = parts
  return {
    date: `${year}-${month}-${day}`,
    minute: Number(hour) * 60 + Number(minute),
    weekday: weekday.toLowerCase()
  }
}

/** Returns a date some days later. */
export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Returns the moment of a local time. A time that the clocks skip is moved by the length of the gap. */
export const momentOf = (zone: string, date: string, minute: number): number => {
  const wanted = Date.parse(`${date}T00:00:00Z`) + minute * 60_000
  let at = wanted
  // The second round corrects the offset of a moment beyond a change of the clocks.
  for (let round = 0; round < 2; round++) {
    const local = localOf(zone, at)
    at += wanted - (Date.parse(`${local.date}T00:00:00Z`) + local.minute * 60_000)
  }
  return at
}
