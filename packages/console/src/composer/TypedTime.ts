import { casual } from "chrono-node/en"

/** The hour of a day without a time. */
const morningHour = 8

const two = (number: number): string => String(number).padStart(2, "0")

/** Returns the hour of a number after a day, for example the one of `tomorrow 9`; null: none. */
const bareHour = (rest: string): number | null => {
  const hour = /^\s*(?:at\s+)?(\d{1,2})\s*$/u.exec(rest)?.[1]
  return hour === undefined || Number(hour) > 23 ? null : Number(hour)
}

/**
 * Reads a date and time in words, for example `next Tuesday 3pm`. Returns it as a local time without an offset from UTC,
 * because the server applies the chosen time zone; null if the text names no time.
 */
export const readTypedTime = (text: string, now: Date): string | null => {
  const parsed = casual.parse(text, now, { forwardDate: true })[0]
  if (parsed === undefined) return null
  const found = parsed.start
  const at = (name: "day" | "hour" | "minute" | "month" | "year"): number => found.get(name) ?? 0
  const rest = text.slice(parsed.index + parsed.text.length)
  const [hour, minute] = found.isCertain("hour") ? [at("hour"), at("minute")] : [bareHour(rest) ?? morningHour, 0]
  return `${at("year")}-${two(at("month"))}-${two(at("day"))}T${two(hour)}:${two(minute)}:00`
}
