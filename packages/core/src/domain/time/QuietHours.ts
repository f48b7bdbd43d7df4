import type { ContactAttributes } from "../contact/Contact.ts"
import { type TimeFacts, timeFactsIn } from "./TimeFacts.ts"
import { zonesOfNumber } from "./PhoneZones.ts"

/**
 * The hours outside of which no telephone may ring, in the contact's local time (47 CFR 64.1200(c)(1)), as minutes of
 * the day.
 */
export const dayBeginsAt = 8 * 60
export const dayEndsAt = 21 * 60

/** A contact counts as awake for this long after a message. Answers then ignore quiet hours. */
export const awakeMillis = 3_600_000

const minuteMillis = 60_000
const minutesOfDay = 24 * 60

type Clock = (millis: number) => TimeFacts

/**
 * Cached clocks by lower-case zone name. The key ignores case, because a zone name is valid in any case. There are a
 * few hundred zones; unknown names are not cached.
 */
const clocks = new Map<string, Clock>()

/** Returns the clock of an IANA zone, or null for an unknown zone. */
const clockOf = (zone: string): Clock | null => {
  const name = zone.toLowerCase()
  const known = clocks.get(name)
  if (known !== undefined) return known
  const made = timeFactsIn(zone)
  if (made !== null) clocks.set(name, made)
  return made
}

const isDay = (minute: number): boolean => minute >= dayBeginsAt && minute < dayEndsAt

/**
 * The maximum number of steps in the search for a common time. If the days of two zones do not overlap, there is no
 * common time.
 */
const rounds = 50

/**
 * Returns the next 08:00. If the clock changes before 08:00, the first result is wrong by the change. A late result is
 * corrected here. For an early result, the caller searches again.
 */
const morningAfter = (clock: Clock, at: number): number => {
  const wait = (dayBeginsAt - clock(at).minuteOfDay + minutesOfDay) % minutesOfDay
  const found = (Math.floor(at / minuteMillis) + wait) * minuteMillis
  const late = clock(found).minuteOfDay - dayBeginsAt
  return late > 0 && isDay(dayBeginsAt + late) ? found - late * minuteMillis : found
}

const dayOf = (all: ReadonlyArray<Clock>, now: number): number | null => {
  let at = now
  for (let round = 0; round < rounds; round++) {
    const asleep = all.find((clock) => !isDay(clock(at).minuteOfDay))
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
  const all = zones.map(clockOf).filter((clock) => clock !== null)
  const at = dayOf(all, now) ?? dayOf(all.slice(0, 1), now) ?? now
  return at <= now ? null : at
}

const zoneIn = ({ time_zone, timezone }: ContactAttributes): string | null => {
  const named = time_zone ?? timezone
  return typeof named === "string" && clockOf(named.trim()) !== null ? named.trim() : null
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
