import { casual } from "chrono-node/en"
import { weekdayNames } from "../time/TimeFacts.ts"
import { addDays, isDate, weekdayOf } from "../time/WallClock.ts"

/** The day that an expression means. */
export type DayReading =
  | { readonly _tag: "Day"; readonly date: string }
  /** The expression contains no day. */
  | { readonly _tag: "None" }
  /** The expression can mean each of these days (`YYYY-MM-DD`). */
  | { readonly _tag: "Ambiguous"; readonly dates: ReadonlyArray<string> }
  | { readonly _tag: "Unclear" }

const unclear: DayReading = { _tag: "Unclear" }

const weekdayWord = /^(sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nesday|r|rs|rsday|urday)?$/u

const monthWords =
  "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov november dec december"

/**
 * Date words that are passed to the library chrono. Words such as `last`, `ago` and `until` are missing on purpose,
 * because chrono reads or skips them in ways that change the date.
 */
const dateWords = new Set(`today tomorrow in day days week weeks of ${monthWords}`.split(" "))

const isDateWord = (word: string): boolean => dateWords.has(word) || /^(?:\d{1,2}(?:st|nd|rd|th)?|20\d\d)$/u.test(word)

/** Words without a meaning for the day. */
const fillers = new Set([
  "on",
  "the",
  "at",
  "around",
  "about",
  "approximately",
  "roughly",
  "exactly",
  "please",
  "any",
  "time",
  "anytime"
])

/**
 * Returns the date that the library chrono reads, if the whole text is one day. Chrono knows offsets but not time
 * zones. It therefore receives the local date as a UTC date, and only the date fields of its result are used.
 */
const chronoDate = (text: string, today: string): string | null => {
  const reference = { instant: new Date(`${today}T12:00:00Z`), timezone: 0 }
  const [found, ...others] = casual.parse(text, reference, { forwardDate: true })
  if (found === undefined || others.length > 0 || found.text !== text) return null
  const { end, start } = found
  const month = start.isCertain("month") && start.isCertain("day")
  if ((end !== null && end !== undefined) || !month || start.isCertain("hour")) return null
  const [year, monthOfYear, day] = [start.get("year"), start.get("month"), start.get("day")]
  const date = `${year}-${String(monthOfYear).padStart(2, "0")}-${String(day).padStart(2, "0")}`
  return isDate(date) ? date : null
}

const asDay = (date: string | null): DayReading => (date === null ? unclear : { _tag: "Day", date })

/** Returns the date with this day and month. Without a year, returns the next such date from today on. */
const dated = (day: number, month: number, year: string | undefined, today: string): string | null => {
  const of = (years: number) => `${years}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
  const thisYear = Number(today.slice(0, 4))
  const date = year === undefined ? of(thisYear) : of(year.length === 2 ? 2_000 + Number(year) : Number(year))
  const coming = year === undefined && date < today ? of(thisYear + 1) : date
  return isDate(coming) ? coming : null
}

/** Parses a numeric date. `25/12` and `12/25` mean the same day, but `5/6` can mean two different days. */
const numericDate = (text: string, today: string): DayReading | null => {
  const [, first, second, year] = /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{2}|\d{4}))?\.?$/u.exec(text) ?? []
  if (first === undefined || second === undefined) return null
  const [one, other] = [Number(first), Number(second)]
  const read = [dated(one, other, year, today), dated(other, one, year, today)]
  const dates = [...new Set(read.filter((date) => date !== null))].toSorted()
  const [date] = dates
  if (date === undefined) return unclear
  return dates.length === 1 ? { _tag: "Day", date } : { _tag: "Ambiguous", dates }
}

/** Returns the date of a weekday within the seven days from tomorrow on. */
const coming = (name: string, today: string): string => {
  const ahead = (weekdayNames.indexOf(name) - weekdayNames.indexOf(weekdayOf(today)) + 6) % 7
  return addDays(today, ahead + 1)
}

/**
 * Resolves a weekday. `Friday` on a Friday can mean today or next week, and `next Friday` can mean two different days.
 * Both are ambiguous.
 */
const weekdayDate = (name: string, modifier: string | undefined, today: string): DayReading => {
  const date = coming(name, today)
  if (weekdayOf(today) === name) return { _tag: "Ambiguous", dates: [today, date] }
  return modifier === "next" ? { _tag: "Ambiguous", dates: [date, addDays(date, 7)] } : { _tag: "Day", date }
}

const dateOf = (words: ReadonlyArray<string>, today: string): DayReading => {
  const text = words
    .join(" ")
    .replace(/^day after tomorrow$/u, "in 2 days")
    .replace(/^in an? /u, "in 1 ")
  if (text === "") return { _tag: "None" }
  if (/^\d{4}-\d\d-\d\d$/u.test(text)) return isDate(text) ? { _tag: "Day", date: text } : unclear
  const numeric = numericDate(text, today)
  if (numeric !== null) return numeric
  // "3 days" without "in" can be a duration, so it is not a date.
  const isLength = /\b(?:days?|weeks?)$/u.test(text) && !text.startsWith("in ")
  return !isLength && text.split(" ").every(isDateWord) ? asDay(chronoDate(text, today)) : unclear
}

/** Checks a date against a spoken weekday. `Friday 4 December` is unclear if 4 December is not a Friday. */
const agreeing = (name: string, reading: DayReading): DayReading => {
  if (reading._tag === "Day") return weekdayOf(reading.date) === name ? reading : unclear
  if (reading._tag !== "Ambiguous") return reading
  const dates = reading.dates.filter((date) => weekdayOf(date) === name)
  const [date, ...others] = dates
  if (date === undefined) return unclear
  return others.length === 0 ? { _tag: "Day", date } : { _tag: "Ambiguous", dates }
}

/**
 * Parses the day from the words that remain after the time of day. If one word is not understood, the result is
 * `Unclear`. `today` is the local date.
 */
export const readDay = (rest: ReadonlyArray<string>, today: string): DayReading => {
  const said = rest.filter((word) => !fillers.has(word))
  const names = said.flatMap((word) => weekdayWord.exec(word)?.[1] ?? [])
  const [name, ...others] = names
  if (others.length > 0) return unclear
  const words = said.filter((word) => weekdayWord.exec(word) === null)
  if (name === undefined) return dateOf(words, today)
  const [modifier, ...more] = words
  if (modifier === undefined) return weekdayDate(name, undefined, today)
  if (more.length === 0 && (modifier === "this" || modifier === "coming" || modifier === "next"))
    return weekdayDate(name, modifier, today)
  return agreeing(name, dateOf(words, today))
}
