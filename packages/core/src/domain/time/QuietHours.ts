import type { ContactAttributes } from "../contact/Contact.ts"
import { zonesOfNumber } from "./PhoneZones.ts"
import { addDays, type WallClock, wallClockIn } from "./WallClock.ts"

/**
 * The hours outside of which no telephone may ring, in the contact's local time (47 CFR 64.1200(c)(1)), as minutes of
 * the day.
 */
export const dayBeginsAt = 8 * 60
export const dayEndsAt = 21 * 60

/** A contact counts as awake for this long after a message. Answers then ignore quiet hours. */
export const awakeMillis = 3_600_000

const isDay = (minute: number): boolean => minute >= dayBeginsAt && minute < dayEndsAt

/**
 * The maximum number of steps in the search for a common time. If the days of two zones do not overlap, there is no
 * common time.
 */
const rounds = 50

/** Returns the next 08:00. */
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
 * Returns the next time (epoch milliseconds) outside the quiet hours of all these IANA zones. Returns null if that is
 * now. If the days of the zones do not overlap, only the first zone counts.
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
 * Returns the time zones for a contact's quiet hours: the contact's own zone (attribute `time_zone` or `timezone`),
 * otherwise all possible zones of the number, otherwise the tenant's zone.
 */
export const zonesOf = (attributes: ContactAttributes, phone: string, tenantZone: string): ReadonlyArray<string> => {
  const known = zoneIn(attributes)
  if (known !== null) return [known]
  const zones = zonesOfNumber(phone)
  return zones.length > 0 ? zones : [tenantZone]
}
