import { TaggedError } from "../TaggedError.ts"
import { wallClockIn } from "../time/WallClock.ts"

/** The time zones in which a person may state a local time. */
export const sendZones = ["contact", "tenant"] as const

/** The latest scheduled time from now on: one year. */
export const maxScheduleMillis = 366 * 86_400_000

/** The maximum length of the undo window in seconds. Gmail has the same maximum. */
export const maxUndoSeconds = 30

/** The limit of waiting scheduled messages per tenant. */
export const maxScheduledSends = 10_000

/** The stated time of a scheduled message. */
export interface StatedTime {
  /** ISO 8601, with an offset from UTC, or local in `zone`. */
  readonly text: string
  /** The zone of a local time; null for a time with an offset. */
  readonly zone: (typeof sendZones)[number] | null
}

/** The time of a scheduled message is invalid. `field` is the name in the request. */
export class SendTimeInvalid extends TaggedError("SendTimeInvalid")<{
  readonly field: "send_at" | "time_zone"
  readonly message: string
}> {}

const shape = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(Z|[+-]\d\d:?\d\d)?$/iu

/** Returns the moment of a local time; null if it does not exist in the calendar. */
const localMoment = (zone: string, date: string, parts: ReadonlyArray<string | undefined>): number | null => {
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  const clock = wallClockIn(zone)
  if (clock === null || hours > 23 || minutes > 59 || seconds > 59) return null
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) return null
  return clock.moment({ date, minuteOfDay: hours * 60 + minutes }) + seconds * 1_000
}

const invalid = (field: SendTimeInvalid["field"], message: string) => new SendTimeInvalid({ field, message })

/**
 * Returns the stated time in epoch milliseconds. `zoneOf` returns the IANA zone for a local time. A repeated local time
 * is the first one, and a skipped local time is moved by the length of the clock change.
 */
export const readSendTime = (
  { text, zone }: StatedTime,
  zoneOf: (zone: (typeof sendZones)[number]) => string,
  now: number
): number | SendTimeInvalid => {
  const [, date = "", hours, minutes, seconds, , offset] = shape.exec(text) ?? []
  if (date === "") return invalid("send_at", "Expected an ISO 8601 date and time.")
  if (offset === undefined && zone === null)
    return invalid("time_zone", "A time without an offset from UTC needs `time_zone`: `contact` or `tenant`.")
  if (offset !== undefined && zone !== null)
    return invalid("time_zone", "Send `time_zone` only with a time without an offset from UTC.")
  const at = zone === null ? Date.parse(text) : localMoment(zoneOf(zone), date, [hours, minutes, seconds])
  if (at === null || Number.isNaN(at)) return invalid("send_at", "Expected an ISO 8601 date and time.")
  if (at <= now) return invalid("send_at", "Expected a time in the future.")
  if (at > now + maxScheduleMillis) return invalid("send_at", "Expected a time within one year from now.")
  return at
}
