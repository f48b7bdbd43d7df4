import type { ContactAttributes } from "../contact/Contact.ts"
import { type TimeFacts, timeFactsIn } from "./TimeFacts.ts"
import { zonesOfNumber } from "./PhoneZones.ts"

/** Nobody's telephone is to ring before or after this, by the clock where they are (47 CFR 64.1200(c)(1)); minutes of a day. */
export const dayBeginsAt = 8 * 60
export const dayEndsAt = 21 * 60

/** Who answers a message that is no older wakes nobody. */
export const awakeMillis = 3_600_000

const minuteMillis = 60_000
const minutesOfDay = 24 * 60

type Clock = (millis: number) => TimeFacts

/**
 * Clocks that were read before, by their zones in lower case: any spelling is taken, and a long name has millions. There
 * are a few hundred zones, and names of none are not kept.
 */
const clocks = new Map<string, Clock>()

/** A reader of moments in an IANA zone; null when nobody knows the zone. */
const clockOf = (zone: string): Clock | null => {
  const name = zone.toLowerCase()
  const known = clocks.get(name)
  if (known !== undefined) return known
  const made = timeFactsIn(zone)
  if (made !== null) clocks.set(name, made)
  return made
}

const isDay = (minute: number): boolean => minute >= dayBeginsAt && minute < dayEndsAt

/** Places whose days have no moment in common: the clocks are asked this often, and then it is given up. */
const rounds = 50

/** The next eight o'clock. Where clocks change on the way it is an hour late or early at first; early is looked at again. */
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
 * When it is day in all of these zones (IANA) next, epoch milliseconds; null: it is now. Where their days have nothing in
 * common, that of the first one counts.
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
 * Where it has to be day before somebody is written to: in the zone that is known of the contact (attribute `time_zone`
 * or `timezone`), else in every zone that the number may be at home in, else in that of the tenant.
 */
export const zonesOf = (attributes: ContactAttributes, phone: string, tenantZone: string): ReadonlyArray<string> => {
  const known = zoneIn(attributes)
  if (known !== null) return [known]
  const zones = zonesOfNumber(phone)
  return zones.length > 0 ? zones : [tenantZone]
}
