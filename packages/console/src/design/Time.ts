const unit = (name: string): Intl.NumberFormat =>
  new Intl.NumberFormat("en", { style: "unit", unit: name, unitDisplay: "short" })

const [minutes, hours, days] = [unit("minute"), unit("hour"), unit("day")]
const minuteMillis = 60_000

/** Returns the time since a moment in its largest unit, for example `3 hr`. */
export const durationSince = (iso: string, now: number): string => {
  const passed = Math.max(0, Math.floor((now - Date.parse(iso)) / minuteMillis))
  if (passed < 60) return minutes.format(passed)
  return passed < 1_440 ? hours.format(Math.floor(passed / 60)) : days.format(Math.floor(passed / 1_440))
}

const timeOfDay = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
const dayOfYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" })
const withWeekday = new Intl.DateTimeFormat("en", {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23"
})
const whole = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" })

/** Returns the time of day for today, and the day for other moments. */
export const shortTime = (iso: string, now: number): string => {
  const moment = new Date(iso)
  return moment.toDateString() === new Date(now).toDateString() ? timeOfDay.format(moment) : dayOfYear.format(moment)
}

/** Returns a duration as minutes and seconds, for example `3:05`. */
export const clockDuration = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`

/** Returns the day of a moment. */
export const shortDay = (iso: string): string => dayOfYear.format(new Date(iso))

/** Returns a moment as the value of a control of the type `datetime-local`. */
export const localDateTime = (iso: string): string => {
  const moment = new Date(iso)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * minuteMillis).toISOString().slice(0, 16)
}

/** Returns the day of the week, the day and the time of a moment in the near future or past. */
export const weekdayTime = (iso: string): string => withWeekday.format(new Date(iso))

/** Returns day and time of a moment. */
export const longTime = (iso: string): string => whole.format(new Date(iso))
