import type { ContactAttributes } from "../contact/Contact.ts"
import { zonesOfNumber } from "./PhoneZones.ts"
import { addDays, type WallClock, wallClockIn } from "./WallClock.ts"

/**
 * The start and the end of the hours in which telephone calls are allowed, in the contact's local time (47 CFR
 * 64.1200(c)(1)), as minutes of the day.
 */
export const dayBeginsAt = 8 * 60
export const dayEndsAt = 21 * 60

/**
 * The time after a message from a contact in which the contact counts as awake. A person's reply in this time ignores
 * quiet hours.
 */
export const awakeMillis = 3_600_000

const isDay = (minute: number): boolean => minute >= dayBeginsAt && minute < dayEndsAt

/**
 * The maximum number of steps in the search for a time outside the quiet hours of several zones. If the search does not
 * end, there is no such time.
 */
const rounds = 50

/** Returns the next 08:00 of a clock, from `at` on. */
const morningAfter = (clock: WallClock, at: number): number => {
  const { date, minuteOfDay } = clock.read(at)
  const day = minuteOfDay < dayBeginsAt ? date : addDays(date, 1)
  return clock.moment({ date: day, minuteOfDay: dayBeginsAt })
}

const dayOf = (all: ReadonlyArray<WallClock>, now: number): number | null => {
  let at = now
  for (let round = 0; round < rounds; round++) {
    const asleep = all.find((clock) => !isDay(clock.read(at).minuteOfDay))
    if (asleep === undefined) return at
    at = morningAfter(asleep, at)
  }
  return null
}

/**
 * Returns the next time (epoch milliseconds) that is outside the quiet hours of all these IANA zones. Returns null if
 * the current time is already outside. If the zones have no such time in common, only the first zone counts.
 */
export const quietUntil = (zones: ReadonlyArray<string>, now: number): number | null => {
  const all = zones.map(wallClockIn).filter((clock) => clock !== null)
  const at = dayOf(all, now) ?? dayOf(all.slice(0, 1), now) ?? now
  return at <= now ? null : at
}

const zoneIn = ({ time_zone, timezone }: ContactAttributes): string | null => {
  const named = time_zone ?? timezone
  return typeof named === "string" && wallClockIn(named.trim()) !== null ? named.trim() : null
}

/**
 * Returns the time zones that determine a contact's quiet hours: the contact's own zone (attribute `time_zone` or
 * `timezone`); without it, all possible zones of the number; for an unknown number, the tenant's zone.
 */
export const zonesOf = (attributes: ContactAttributes, phone: string, tenantZone: string): ReadonlyArray<string> => {
  const known = zoneIn(attributes)
  if (known !== null) return [known]
  const zones = zonesOfNumber(phone)
  return zones.length > 0 ? zones : [tenantZone]
}
