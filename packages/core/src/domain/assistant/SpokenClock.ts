import { dayMinutes } from "../time/WallClock.ts"

/** A spoken time of day. */
export interface SpokenClock {
  /**
   * The possible minutes of the day. There are two if the caller did not say the half of the day, and none if the time
   * is invalid.
   */
  readonly minutes: ReadonlyArray<number>
}

/** A part of the day without a time. */
export type PartOfDay = "morning" | "afternoon" | "evening" | "night"

/** The times of day in an expression, and its remaining words. */
export interface ClockReading {
  readonly clocks: ReadonlyArray<SpokenClock>
  readonly parts: ReadonlyArray<PartOfDay>
  readonly rest: ReadonlyArray<string>
}

const noon = dayMinutes / 2

/**
 * Returns the time that is `minutes` before an hour: 15 before 5 is `4:45`. If there is no such time, returns `?`,
 * which no parser accepts.
 */
const before = (hour: string, minutes: number): string => {
  const earlier = Number(hour) === 1 ? 12 : Number(hour) - 1
  const minute = 60 - minutes
  return earlier < 0 || minute < 1 || minute > 59 ? "?" : `${earlier}:${String(minute).padStart(2, "0")}`
}

const past = (hour: string, minutes: string): string =>
  Number(minutes) > 59 ? "?" : `${hour}:${minutes.padStart(2, "0")}`

/**
 * The replacements of spoken times by digits: `half past ten` becomes `10:30`. Text that can also be a range (`2 to 4`)
 * is not replaced.
 */
const phrases: ReadonlyArray<readonly [RegExp, (first: string, second: string) => string]> = [
  // "A quarter to 12 pm" can mean before noon or before midnight.
  [/\b(?:to|before|of) 12 [ap]m\b/gu, () => "?"],
  [/\bhalf past (\d{1,2})\b/gu, (hour) => `${hour}:30`],
  [/\b(?:an? )?quarter (?:past|after) (\d{1,2})\b/gu, (hour) => `${hour}:15`],
  [/\b(?:an? )?quarter (?:to|before|of) (\d{1,2})\b/gu, (hour) => before(hour, 15)],
  [/\b(\d{1,2}) (?:minutes? )?past (\d{1,2})\b/gu, (minutes, hour) => past(hour, minutes)],
  [/\b(\d{1,2}) minutes? after (\d{1,2})\b/gu, (minutes, hour) => past(hour, minutes)],
  [/\b(2[05]) to (\d{1,2})\b/gu, (minutes, hour) => before(hour, Number(minutes))],
  [/\b(\d{1,2}) minutes? (?:to|before) (\d{1,2})\b/gu, (minutes, hour) => before(hour, Number(minutes))],
  [/\b(\d{1,2}) oclock\b/gu, (hour) => `${hour}:00`],
  [/\b(\d{1,2}) ([0-5][05]|0\d)(?= |$)/gu, (hour, minutes) => `${hour}:${minutes}`],
  [/\b(\d{1,2})\.([0-5]\d) (?=[ap]m\b)/gu, (hour, minutes) => `${hour}:${minutes} `],
  [/\b12(?::00)? (?:noon|midday)\b/gu, () => "noon"],
  [/\b(?:noon|midday)\b/gu, () => "12:00 pm"]
]

const withClocks = (text: string): string =>
  phrases.reduce(
    (so, [from, to]) => so.replace(from, (_, first = "", second = "") => to(String(first), String(second))),
    text
  )

/**
 * Returns the possible minutes of a time of day. A time without am or pm has two, unless its form excludes one: hours
 * from 13 on, hour 0, and hours with a leading zero (`03:30`) have only one.
 */
const clockOf = (said: string, half: string | undefined): SpokenClock | null => {
  const [, hours = "", minutes = "00"] = /^(\d{1,2})(?::([0-5]\d))?$/u.exec(said) ?? []
  if (hours === "" || Number(hours) > 23) return null
  const [hour, minute] = [Number(hours), Number(minutes)]
  const plain = hour * 60 + minute
  const twelve = hour >= 1 && hour <= 12 && !hours.startsWith("0")
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return { minutes: [] }
    return { minutes: [(plain % noon) + (half === "pm" ? noon : 0)] }
  }
  return { minutes: twelve ? [plain % noon, (plain % noon) + noon] : [plain] }
}

const partWords: Readonly<Record<string, PartOfDay>> = {
  morning: "morning",
  afternoon: "afternoon",
  evening: "evening",
  night: "night"
}

const beforeTimes = new Set(["at", "around", "about", "approximately", "roughly", "exactly"])
const nearDays = new Set(["today", "tomorrow", "tonight"])
const month = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/u

/** Returns whether a bare number is an hour, judged by the words next to it. */
const isBareHour = (words: ReadonlyArray<string>, at: number): boolean => {
  const [word = "", next = "", after = ""] = words.slice(at, at + 3)
  const last = words[at - 1] ?? ""
  if (!/^\d{1,2}$/u.test(word) || next === "of" || month.test(next)) return false
  if (beforeTimes.has(last) || nearDays.has(last) || words.length === 1) return true
  if (at === 0 && nearDays.has(next)) return true
  return next === "in" && after === "the" && last !== "the" && !month.test(last)
}

/**
 * Removes the words that precede a part of the day, such as the `in the` of `in the evening`. Replaces the `this` of
 * `this evening` by `today`.
 */
const endPart = (rest: Array<string>): void => {
  if (rest.at(-1) === "this") rest.splice(-1, 1, "today")
  if (rest.at(-1) === "the") rest.pop()
  if (rest.at(-1) === "in" || rest.at(-1) === "at") rest.pop()
}

/** Parses the times of day in a normalised expression. `rest` contains the other words in their order. */
export const readClock = (text: string): ClockReading => {
  const words = withClocks(text)
    .split(" ")
    .filter((word) => word !== "")
  const clocks: Array<SpokenClock> = []
  const parts: Array<PartOfDay> = []
  const rest: Array<string> = []
  for (let at = 0; at < words.length; at++) {
    const [word = "", next = ""] = words.slice(at, at + 2)
    const half = next === "am" || next === "pm" ? next : undefined
    const clock = word.includes(":") || half !== undefined || isBareHour(words, at) ? clockOf(word, half) : null
    const part = partWords[word]
    if (clock !== null) {
      clocks.push(clock)
      if (half !== undefined) at++
    } else if (part !== undefined) {
      parts.push(part)
      endPart(rest)
    } else if (word === "tonight") {
      parts.push("evening")
      rest.push("today")
    } else rest.push(word)
  }
  return { clocks, parts, rest }
}

/** The minutes of the day that are possible with a part of the day, as in `7 in the evening`. */
const spans: Readonly<Record<PartOfDay, readonly [number, number]>> = {
  morning: [1 * 60, noon],
  afternoon: [noon, 18 * 60 + 30],
  evening: [16 * 60, dayMinutes],
  night: [19 * 60, dayMinutes]
}

/**
 * Restricts a time of day to a part of the day: `at 8 in the evening` is 20:00, and `10 pm in the morning` is invalid.
 */
export const withinPart = ({ minutes }: SpokenClock, part: PartOfDay): SpokenClock => {
  const [from, to] = spans[part]
  return { minutes: minutes.filter((minute) => minute >= from && minute < to) }
}
