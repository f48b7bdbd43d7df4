const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** Formats a date-time (RFC 3501, section 9) in UTC. */
export const formatImapDate = (time: number): string => {
  const [day = "", clock = ""] = new Date(time).toISOString().split(/[T.]/u)
  const [year, month, date] = day.split("-")
  return `${String(Number(date)).padStart(2, " ")}-${months[Number(month) - 1]}-${year} ${clock} +0000`
}

/** Parses a date or a date-time. Returns NaN for another text. */
export const parseImapDate = (text: string): number => {
  const [, day, month = "", year, clock = "00:00:00", zone = "+0000"] =
    /^\s*(\d{1,2})-(\w{3})-(\d{4})(?: (\d\d:\d\d:\d\d) ([+-]\d{4}))?$/u.exec(text) ?? []
  const number = months.findIndex((name) => name.toLowerCase() === month.toLowerCase()) + 1
  const two = (value: unknown): string => String(value).padStart(2, "0")
  return Date.parse(`${year}-${two(number)}-${two(day)}T${clock}${zone.slice(0, 3)}:${zone.slice(3)}`)
}
