/** A moment as one says it on the telephone, on the wall of a place: `Monday 2 March 2026, 15:00`. */
export const spokenTime = (millis: number, timeZone: string): string => {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit"
  })
  for (const { type, value } of format.formatToParts(millis)) parts[type] = value
  return `${parts.weekday} ${parts.day} ${parts.month} ${parts.year}, ${parts.hour}:${parts.minute}`
}
