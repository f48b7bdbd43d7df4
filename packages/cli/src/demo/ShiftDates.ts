/** The year of the dates in the sample messages. */
const sampleYear = 2026
const weekMillis = 7 * 86_400_000
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const
const fullMonths = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" })

const shifted = (day: string, weeks: number): Date =>
  new Date(Date.UTC(sampleYear, months.indexOf("Mar"), Number(day)) + weeks * weekMillis)

const monthOf = (date: Date): string => months[date.getUTCMonth()] ?? ""

/**
 * Moves the dates of a sample mail: those of the headers (RFC 5322, section 3.3) and those in its text. All dates of the
 * samples are in March 2026. Whole weeks keep the days of the week and the times.
 */
export const shiftDates = (raw: Buffer, weeks: number): Buffer => {
  // One byte is one character, so that other encodings stay as they are.
  const text = raw
    .toString("latin1")
    .replaceAll(/\b(\d{1,2}) Mar 2026\b/gu, (_, day: string) => {
      const date = shifted(day, weeks)
      return `${date.getUTCDate()} ${monthOf(date)} ${date.getUTCFullYear()}`
    })
    .replaceAll(/\b(Mar|March) (\d{1,2})(, 2026)?\b/gu, (_, month: string, day: string, year?: string) => {
      const date = shifted(day, weeks)
      const name = month === "Mar" ? monthOf(date) : fullMonths.format(date)
      return `${name} ${date.getUTCDate()}${year === undefined ? "" : `, ${date.getUTCFullYear()}`}`
    })
  return Buffer.from(text, "latin1")
}

/** The end of the day of the sample mails. */
const sampleEnd = Date.parse("2026-03-02T17:06:00Z")

/** Returns the weeks by which the sample mails move, so that they arrived in the seven days before a time. */
export const weeksUntil = (now: number): number => Math.floor((now - sampleEnd) / weekMillis)
