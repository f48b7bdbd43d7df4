import { addDays, dayMinutes, isDate, minutesOf, type WallClock, weekdayOf } from "../tenant/WallClock.ts"

/** When people of a tenant call back. */
export interface CallbackHours {
  /** `09:00`, on the tenant's wall. */
  readonly from: string
  /** `18:00`; nobody is called back from then on. */
  readonly to: string
  /** `mon` to `sun`. */
  readonly days: ReadonlyArray<string>
}

/** When somebody wants to be called, and what became of it. */
export interface CallbackTime {
  /** Epoch milliseconds. */
  readonly dueAt: number
  /** It was asked for at a time when nobody calls, and is at the next one when somebody does. */
  readonly moved: boolean
}

/** Furthest in the future that a callback is booked, days. */
export const furthestCallbackDays = 60

const minuteMillis = 60_000

/** What is asked for, before the hours are looked at: a moment, or a day without a time. */
type Wanted = { readonly at: number } | { readonly day: string }

const partsOfDay: Readonly<Record<string, number>> = {
  morning: 9 * 60,
  noon: 12 * 60,
  midday: 12 * 60,
  afternoon: 14 * 60,
  evening: 17 * 60
}

const unitMinutes: Readonly<Record<string, number>> = { min: 1, minute: 1, h: 60, hour: 60, day: dayMinutes }

/** The minute of the day that a spoken time means; null when none is said. */
const spokenMinute = (text: string): number | null => {
  const twelve = /\b(1[0-2]|0?[1-9])(?::([0-5]\d))?\s?([ap])\.?m\b/u.exec(text)
  if (twelve !== null) {
    const [, hours = "", minutes = "0", half] = twelve
    return (Number(hours) % 12) * 60 + Number(minutes) + (half === "p" ? 12 * 60 : 0)
  }
  const [clock] = /\b(?:[01]?\d|2[0-3]):[0-5]\d\b/u.exec(text) ?? []
  if (clock !== undefined) return minutesOf(clock)
  const part = Object.keys(partsOfDay).find((word) => new RegExp(`\\b${word}\\b`, "u").test(text))
  return part === undefined ? null : (partsOfDay[part] ?? null)
}

/** The day that words mean, as the wall shows today; null when none is said. */
const spokenDay = (text: string, today: string): string | null => {
  if (/\bday after tomorrow\b/u.test(text)) return addDays(today, 2)
  if (/\btomorrow\b/u.test(text)) return addDays(today, 1)
  if (/\b(?:today|tonight|this (?:morning|afternoon|evening))\b/u.test(text)) return today
  const [, name] = /\b(sun|mon|tue|wed|thu|fri|sat)(?:day|sday|nesday|rsday|urday)?\b/u.exec(text) ?? []
  if (name === undefined) return null
  for (let days = 1; days < 7; days++) if (weekdayOf(addDays(today, days)) === name) return addDays(today, days)
  return addDays(today, 7)
}

const iso = /^(\d{4}-\d\d-\d\d)(?:[t ]+(?:at )?(\d\d?:\d\d)(?::\d\d(?:\.\d+)?)?\s*(z|[+-]\d\d:?\d\d)?)?$/u

const readIso = (text: string, wall: WallClock): Wanted | null => {
  const [spelled, date, clock, offset] = iso.exec(text) ?? []
  if (spelled === undefined || date === undefined || !isDate(date)) return null
  if (clock === undefined) return { day: date }
  if (offset !== undefined) {
    const at = Date.parse(spelled.toUpperCase().replace(/\s+/u, "T").replace(/\s+/gu, ""))
    return Number.isNaN(at) ? null : { at }
  }
  const minuteOfDay = minutesOf(clock)
  return minuteOfDay === null ? null : { at: wall.moment({ date, minuteOfDay }) }
}

const readSpoken = (text: string, wall: WallClock, now: number): Wanted | null => {
  if (/^(?:now|asap|as soon as possible|any ?time|right away|immediately)$/u.test(text)) return { at: now }
  const [, count, unit] = /\bin (?:about )?(an?|\d{1,3}) (min|minute|h|hour|day)s?\b/u.exec(text) ?? []
  if (count !== undefined && unit !== undefined) {
    const many = Number.isNaN(Number(count)) ? 1 : Number(count)
    return { at: now + many * (unitMinutes[unit] ?? 1) * minuteMillis }
  }
  const today = wall.read(now).date
  const [date] = /\b\d{4}-\d\d-\d\d\b/u.exec(text) ?? []
  if (date !== undefined && !isDate(date)) return null
  const day = date ?? spokenDay(text, today)
  const minuteOfDay = spokenMinute(date === undefined ? text : text.replace(date, ""))
  if (minuteOfDay === null) return day === null ? null : { day }
  const at = wall.moment({ date: day ?? today, minuteOfDay })
  // A time that has passed today is tomorrow's, when no day was named.
  return { at: day === null && at <= now ? wall.moment({ date: addDays(today, 1), minuteOfDay }) : at }
}

interface Opening {
  readonly from: number
  readonly to: number
  readonly days: ReadonlyArray<string>
}

/** The first moment from `at` on at which somebody calls; null: nobody does within two weeks. */
const firstOpen = (at: number, { days, from, to }: Opening, wall: WallClock): number | null => {
  const { date, minuteOfDay } = wall.read(at)
  for (let later = 0; later < 15; later++) {
    const day = addDays(date, later)
    if (!days.includes(weekdayOf(day))) continue
    if (later > 0 || minuteOfDay < from) return wall.moment({ date: day, minuteOfDay: from })
    if (minuteOfDay < to) return at
  }
  return null
}

/**
 * When a caller wants to be called back, in ISO 8601 (without an offset: on the tenant's wall) or as people say it in
 * English. Times at which nobody calls become the next at which somebody does. Null: it cannot be read, is over, or is
 * more than `furthestCallbackDays` away.
 */
export const callbackTime = (
  spoken: string,
  hours: CallbackHours,
  wall: WallClock,
  now: number
): CallbackTime | null => {
  const text = spoken.toLowerCase().replace(/\s+/gu, " ").trim().slice(0, 200)
  const wanted = readIso(text, wall) ?? readSpoken(text, wall, now)
  if (wanted === null) return null
  const opening = { from: minutesOf(hours.from) ?? 0, to: minutesOf(hours.to) ?? dayMinutes, days: hours.days }
  const asked = "at" in wanted ? wanted.at : Math.max(now, wall.moment({ date: wanted.day, minuteOfDay: opening.from }))
  if ("day" in wanted && wanted.day < wall.read(now).date) return null
  if (asked < now || asked > now + furthestCallbackDays * dayMinutes * minuteMillis) return null
  const dueAt = firstOpen(asked, opening, wall)
  if (dueAt === null) return null
  return { dueAt, moved: dueAt !== asked && "at" in wanted }
}
