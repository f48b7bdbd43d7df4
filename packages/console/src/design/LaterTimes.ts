import { text } from "../text/Shared.ts"

/** A time to which work is postponed. */
interface LaterTime {
  readonly label: string
  readonly until: Date
}

const laterTodayHours = 3
const morningHour = 8
const monday = 1

const morningIn = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morningHour)

/** Returns the times to which a person usually postpones work, in the time zone of the browser. */
export const laterTimes = (now: Date): ReadonlyArray<LaterTime> => [
  { label: text.later.laterToday, until: new Date(now.getTime() + laterTodayHours * 3_600_000) },
  { label: text.later.tomorrow, until: morningIn(now, 1) },
  { label: text.later.nextWeek, until: morningIn(now, ((monday - now.getDay() + 6) % 7) + 1) }
]
