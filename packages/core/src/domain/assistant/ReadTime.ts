import { addDays, dayMinutes, isDate, minutesOf, type WallClock } from "../time/WallClock.ts"
import { type PartOfDay, readClock, type SpokenClock, withinPart } from "./SpokenClock.ts"
import { type DayReading, readDay } from "./SpokenDay.ts"
import { readDelay } from "./SpokenDelay.ts"
import { formatSpokenDate } from "./SpokenTime.ts"
import { plainExpression } from "./SpokenWords.ts"

/** In characters. A longer text contains more than a time. */
export const maxExpressionLength = 120

/** The meaning of a time expression in a time zone. */
export type TimeReading =
  | { readonly _tag: "At"; readonly at: number }
  /** A day or a part of a day, in epoch milliseconds. `until` is exclusive. */
  | { readonly _tag: "Within"; readonly from: number; readonly until: number }
  /** The expression is not clear. `question` tells the assistant what to ask the caller. */
  | { readonly _tag: "Ask"; readonly question: string }

/** The moment and the place of a spoken expression: its time zone, its time and the callback hours. */
export interface SaidAt {
  readonly wall: WallClock
  /** Epoch milliseconds. */
  readonly now: number
  /**
   * The callback hours in minutes of the day. They decide whether a time without am or pm is in the morning or in the
   * afternoon. `openUntil` is exclusive.
   */
  readonly openFrom: number
  readonly openUntil: number
}

const unclear = (question: string): TimeReading => ({ _tag: "Ask", question })

const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`

const dayText = (date: string): string => formatSpokenDate(Date.parse(`${date}T00:00:00Z`), "UTC")

const notUnderstood = unclear("This is not a recognisable time. Ask for the day and the time of day.")
const past = unclear("That is in the past. Ask for a later day and time.")

/**
 * Returns the moment of a date and a time of day. Returns a question for a past time, and for a local time that a clock
 * change skips or repeats.
 */
const momentOf = (date: string, minuteOfDay: number, { now, wall }: SaidAt): TimeReading => {
  const [at, again] = wall.moments({ date, minuteOfDay })
  const when = `${clockText(minuteOfDay)} on ${dayText(date)}`
  if (at === undefined) return unclear(`${when} does not exist, because the clocks change. Ask for another time.`)
  if (again !== undefined) return unclear(`${when} occurs twice, because the clocks change. Ask for another time.`)
  return at < now ? past : { _tag: "At", at }
}

/** Returns the part of an interval that is not in the past. Returns a question if the whole interval is in the past. */
const within = (date: string, from: number, until: number, { now, wall }: SaidAt): TimeReading => {
  const end = wall.moment(
    until < dayMinutes ? { date, minuteOfDay: until } : { date: addDays(date, 1), minuteOfDay: 0 }
  )
  const begin = wall.moment({ date, minuteOfDay: from })
  return end <= now ? past : { _tag: "Within", from: Math.max(begin, now), until: end }
}

/** The hour must have two digits, because `3:00` is spoken English and may mean the afternoon. */
const iso = /^(\d{4}-\d\d-\d\d)(?:[t ]+(?:at )?(\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?\s?(z|[+-]\d\d:?\d\d)?)?$/u

/**
 * Parses ISO 8601, the format that programs send. A time without an offset is local. Returns null for any other text.
 */
const readIso = (text: string, said: SaidAt): TimeReading | null => {
  const [spelled, date, clock, offset] = iso.exec(text) ?? []
  if (spelled === undefined || date === undefined) return null
  if (!isDate(date)) return notUnderstood
  if (clock === undefined) return within(date, 0, dayMinutes, said)
  const minuteOfDay = minutesOf(clock)
  if (minuteOfDay === null) return notUnderstood
  if (offset === undefined) return momentOf(date, minuteOfDay, said)
  const zone = offset === "z" ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`
  const at = Date.parse(`${date}T${clockText(minuteOfDay)}:00${zone}`)
  if (Number.isNaN(at)) return notUnderstood
  return at < said.now ? past : { _tag: "At", at }
}

/** The interval that a part of the day means if no time is spoken, in minutes of the day. `night` means no interval. */
const partSpans: Readonly<Record<PartOfDay, readonly [number, number] | null>> = {
  morning: [9 * 60, 12 * 60],
  afternoon: [14 * 60, 17 * 60],
  evening: [17 * 60, dayMinutes],
  night: null
}

/**
 * Returns the minute that a time of day means. If two minutes are possible, the one within the callback hours is used.
 * If both or neither are within these hours, the result is a question.
 */
const minuteOf = ({ minutes }: SpokenClock, { openFrom, openUntil }: SaidAt): number | TimeReading => {
  const [minute, other] = minutes
  if (minute === undefined) return notUnderstood
  if (other === undefined) return minute
  const [open, both] = minutes.filter((one) => one >= openFrom && one < openUntil)
  if (open !== undefined && both === undefined) return open
  return unclear(
    `This may be ${clockText(minute)} or ${clockText(other)}. Ask which: in the morning or in the evening.`
  )
}

const whichDay = ({ dates }: { readonly dates: ReadonlyArray<string> }): TimeReading =>
  unclear(`This may be ${dates.map(dayText).join(" or ")}. Ask which day.`)

const atTime = (day: DayReading & { readonly _tag: "Day" | "None" }, clock: SpokenClock, said: SaidAt): TimeReading => {
  const minute = minuteOf(clock, said)
  if (typeof minute !== "number") return minute
  const today = said.wall.read(said.now).date
  const reading = momentOf(day._tag === "Day" ? day.date : today, minute, said)
  if (day._tag === "Day" || reading !== past) return reading
  return unclear(`${clockText(minute)} has passed today. Ask which day.`)
}

const sooner = /^(?:now|right now|asap|as soon as possible|any ?time|right away|immediately)$/u

const readWords = (text: string, said: SaidAt): TimeReading => {
  if (sooner.test(text)) return { _tag: "At", at: said.now }
  const delay = readDelay(text)
  if (delay !== null) return { _tag: "At", at: said.now + delay }
  const { clocks, parts, rest } = readClock(text)
  const today = said.wall.read(said.now).date
  const day = readDay(rest, today)
  const [[clock, ...clocksMore], [part, ...partsMore]] = [clocks, [...new Set(parts)]]
  if (day._tag === "Unclear" || clocksMore.length > 0 || partsMore.length > 0) return notUnderstood
  if (day._tag === "Ambiguous") return whichDay(day)
  if (clock !== undefined) return atTime(day, part === undefined ? clock : withinPart(clock, part), said)
  const span = part === undefined ? ([0, dayMinutes] as const) : partSpans[part]
  if (span === null || (day._tag === "None" && part === undefined)) return notUnderstood
  return within(day._tag === "Day" ? day.date : today, ...span, said)
}

/**
 * Parses a requested callback time: ISO 8601 or spoken English. A time without an offset is local. The parser must
 * understand every word: unknown words, past times and ambiguous times lead to a question, never to a guess.
 * `maxExpressionLength` bounds the work.
 */
export const readTime = (spoken: string, said: SaidAt): TimeReading => {
  if (spoken.length > maxExpressionLength) return notUnderstood
  const text = spoken.toLowerCase().replace(/\s+/gu, " ").trim()
  return readIso(text, said) ?? readWords(plainExpression(spoken), said)
}
