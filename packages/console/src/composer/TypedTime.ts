import { casual } from "chrono-node/en"

/** The hour of a day without a time. */
const morningHour = 8

const two = (number: number): string => String(number).padStart(2, "0")

/**
 * Reads a date and time in words, for example `next Tuesday 3pm`. Returns it as a local time without an offset from UTC,
 * because the server applies the chosen time zone; null if the text names no time.
 */
export const readTypedTime = (text: string, now: Date): string | null => {
  const found = casual.parse(text, now, { forwardDate: true })[0]?.start
  if (found === undefined) return null
  const at = (name: "day" | "hour" | "minute" | "month" | "year"): number => found.get(name) ?? 0
  const hour = found.isCertain("hour") ? at("hour") : morningHour
  return `${at("year")}-${two(at("month"))}-${two(at("day"))}T${two(hour)}:${two(at("minute"))}:00`
}
