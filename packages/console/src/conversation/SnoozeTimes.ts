import { conversationText } from "../text/Conversation.ts"

interface SnoozeTime {
  readonly label: string
  readonly until: Date
}

const laterTodayHours = 3
const morningHour = 8
const monday = 1

const morningIn = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morningHour)

/** Returns the times at which a snoozed conversation may open again, in the time zone of the browser. */
export const snoozeTimes = (now: Date): ReadonlyArray<SnoozeTime> => [
  { label: conversationText.snooze.tomorrow, until: morningIn(now, 1) },
  { label: conversationText.snooze.laterToday, until: new Date(now.getTime() + laterTodayHours * 3_600_000) },
  { label: conversationText.snooze.nextWeek, until: morningIn(now, ((monday - now.getDay() + 6) % 7) + 1) }
]
