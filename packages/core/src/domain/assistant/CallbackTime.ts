import { addDays, dayMinutes, minutesOf, type WallClock, weekdayOf } from "../time/WallClock.ts"
import { readTime } from "./ReadTime.ts"

/** When people of a tenant call back. */
export interface CallbackHours {
  /** `09:00`, on the tenant's wall. */
  readonly from: string
  /** `18:00`; nobody is called back from then on. */
  readonly to: string
  /** `mon` to `sun`. */
  readonly days: ReadonlyArray<string>
}

/** When somebody is called back. */
export interface CallbackTime {
  readonly _tag: "RecordedCredits"
  /** Epoch milliseconds. */
  readonly dueAt: number
  /** The time asked for is outside of the hours, and `dueAt` is the first one after it that is not. */
  readonly moved: boolean
}

/** Nothing can be booked yet: `question` says what to ask the caller. */
export interface CallbackUnclear {
  readonly _tag: "Unclear"
  readonly question: string
}

/** Furthest in the future that a callback is booked, days. */
export const maxCallbackDays = 60

const dayMillis = dayMinutes * 60_000

interface Opening {
  readonly from: number
  readonly to: number
  readonly days: ReadonlyArray<string>
}

const openingOf = ({ days, from, to }: CallbackHours): Opening => ({
  from: minutesOf(from) ?? 0,
  to: minutesOf(to) ?? dayMinutes,
  days
})

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

/** The first moment from now on at which somebody calls; null: nobody does within two weeks. */
export const nextCallback = (hours: CallbackHours, wall: WallClock, now: number): number | null =>
  firstOpen(now, openingOf(hours), wall)

const unclear = (question: string): CallbackUnclear => ({ _tag: "Unclear", question })

/**
 * When a caller is called back who asks for a time (`readTime`), at a place. A time at which nobody calls becomes the next
 * at which somebody does, and the answer says so. What is not clear is a question.
 */
export const callbackTime = (
  spoken: string,
  hours: CallbackHours,
  wall: WallClock,
  now: number
): CallbackTime | CallbackUnclear => {
  const opening = openingOf(hours)
  const reading = readTime(spoken, { wall, now, openFrom: opening.from, openUntil: opening.to })
  if (reading._tag === "Ask") return unclear(reading.question)
  const requested = reading._tag === "At" ? reading.at : reading.from
  if (requested > now + maxCallbackDays * dayMillis)
    return unclear(`That is more than ${maxCallbackDays} days away. Ask for an earlier day.`)
  const dueAt = firstOpen(requested, opening, wall)
  if (dueAt === null) return unclear("Nobody calls back within two weeks of that. Ask for another day.")
  return { _tag: "RecordedCredits", dueAt, moved: reading._tag === "At" ? dueAt !== requested : dueAt >= reading.until }
}
