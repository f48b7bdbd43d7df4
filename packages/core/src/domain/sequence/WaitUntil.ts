import { Schema } from "effect"
import type { FieldValues } from "../field/FieldValues.ts"
import { TimeOfDay } from "../time/TimeOfDay.ts"
import { addDays, isDate, minutesOf, type WallClock } from "../time/WallClock.ts"

/** The maximum number of days between a date and the end of a wait. */
const maxDays = 365

/** The default time of day for dates, in minutes. */
const morning = 540

/** A date in a custom field of the contact. */
const UntilDate = Schema.Struct({
  field: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(64)).annotate({
    description: "The key of a custom field of contacts of the type date"
  }),
  days: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: -maxDays, maximum: maxDays }))).annotate({
    description: `The days from the date to the end of the wait, -${maxDays} to ${maxDays}. -1: on the day before. Default: 0`
  }),
  time: Schema.optionalKey(TimeOfDay).annotate({
    description: "The time of that day in the contact's time zone, `HH:MM`. Default: `09:00`"
  }),
  otherwise: Schema.optionalKey(Schema.Literals(["stop", "continue"])).annotate({
    description:
      "If the contact has no date, or the end of the wait has passed for more than a day: `stop` stops the enrolment, `continue` continues at once. Default: `stop`"
  })
}).annotate({ identifier: "WaitUntilDate", description: "A date in a custom field of the contact" })

/** A time of day. */
const UntilTime = Schema.Struct({
  time: TimeOfDay.annotate({ description: "The time of day in the contact's time zone, `HH:MM`" })
}).annotate({ identifier: "WaitUntilTime", description: "The next time of day after the delay" })

/**
 * The end of a wait. The variant with the most fields comes first, because a reader that ignores unknown fields takes the
 * first variant that fits.
 */
export const WaitUntil = Schema.Union([UntilDate, UntilTime]).annotate({
  identifier: "WaitUntil",
  description: "The end of a wait, after its delay: a time of day, or a date of the contact"
})
export type WaitUntil = typeof WaitUntil.Type

/** Returns whether the end of a wait is a date of the contact, which can change during the wait. */
export const isUntilDate = (until: WaitUntil | undefined): until is typeof UntilDate.Type =>
  until !== undefined && "field" in until

const dayMillis = 86_400_000

/** The end of a wait in epoch milliseconds, or why there is none. */
export type WaitEnd = { readonly at: number } | { readonly fault: string }

/**
 * Returns the end of a wait whose delay ends at `base`. `now` decides whether a date has passed: after an outage, the
 * steps that follow would come too late.
 */
export const waitEnd = (
  until: WaitUntil,
  clock: WallClock,
  fields: FieldValues,
  base: number,
  now: number
): WaitEnd => {
  if (!isUntilDate(until)) {
    const { date } = clock.read(base)
    const minuteOfDay = minutesOf(until.time) ?? 0
    const today = clock.moment({ date, minuteOfDay })
    return { at: today >= base ? today : clock.moment({ date: addDays(date, 1), minuteOfDay }) }
  }
  const { days = 0, field, time } = until
  const date = fields[field]
  if (typeof date !== "string" || !isDate(date)) return { fault: `the contact has no date in the field ${field}` }
  const minuteOfDay = (time === undefined ? null : minutesOf(time)) ?? morning
  const at = clock.moment({ date: addDays(date, days), minuteOfDay })
  return at + dayMillis < Math.max(base, now)
    ? { fault: `the date in the field ${field} has passed` }
    : { at: Math.max(at, base) }
}
