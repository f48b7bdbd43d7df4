import { Schema } from "effect"
import { weekdays } from "../rule/Fact.ts"
import { addDays, dayMinutes, minutesOf, type WallClock, weekdayOf } from "../time/WallClock.ts"
import { TimeOfDay } from "../time/TimeOfDay.ts"
import { readTime } from "./ReadTime.ts"

/** The hours in which people of a tenant return calls, in the tenant's time zone. */
export class CallbackHours extends Schema.Opaque<CallbackHours>()(
  Schema.Struct({
    from: TimeOfDay.annotate({ description: "The start of the window, `HH:MM`" }),
    /** Exclusive. */
    to: TimeOfDay.annotate({ description: "The end of the window, `HH:MM`, exclusive" }),
    days: Schema.Array(Schema.Literals(weekdays))
      .check(Schema.isMinLength(1), Schema.isMaxLength(weekdays.length))
      .annotate({ description: "The days of the week with callbacks" })
  })
) {}

export interface CallbackTime {
  readonly _tag: "CallbackBooked"
  /** Epoch milliseconds. */
  readonly dueAt: number
  /**
   * True if the requested time is outside the callback hours. `dueAt` is then the first later time within these hours.
   */
  readonly moved: boolean
}

/** The time is not clear enough for a booking. `question` tells the assistant what to ask the caller. */
export interface CallbackUnclear {
  readonly _tag: "Unclear"
  readonly question: string
}

/** The maximum time from now to a callback, in days. */
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

/** Returns the first moment within the callback hours, from `at` on. Returns null if there is none within two weeks. */
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

/** Returns the first moment within the callback hours, from now on. Returns null if there is none within two weeks. */
export const nextCallback = (hours: CallbackHours, wall: WallClock, now: number): number | null =>
  firstOpen(now, openingOf(hours), wall)

const unclear = (question: string): CallbackUnclear => ({ _tag: "Unclear", question })

/**
 * Determines the time of a callback from the caller's words (`readTime`) in a time zone. Moves a time outside the
 * callback hours to the next time within them, and sets `moved`. Returns a question for an ambiguous or invalid time.
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
  if (dueAt === null) return unclear("No callback is possible within two weeks after that time. Ask for another day.")
  return { _tag: "CallbackBooked", dueAt, moved: reading._tag === "At" ? dueAt !== requested : dueAt >= reading.until }
}
