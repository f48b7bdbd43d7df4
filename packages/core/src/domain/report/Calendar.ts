import type { CallbackHours } from "../assistant/CallbackTime.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { type BusinessSeconds, businessTime } from "../time/BusinessTime.ts"
import { wallClock } from "../time/WallClock.ts"
import { type WorkingHours, workingDays } from "../time/WorkingHours.ts"
import type { User } from "../user/User.ts"

/** The days of a tenant, and the working time of its users. */
export interface Calendar {
  /** Returns the local date of a moment, `YYYY-MM-DD`. */
  readonly dayOf: (millis: number) => string
  /** Returns the working time of a user, or of the tenant for null, between two moments in seconds. */
  readonly businessSeconds: (userId: string | null, from: number, to: number) => number
}

/** Returns the business hours of a tenant: its callback hours. */
export const officeHours = ({ days, from, to }: CallbackHours): WorkingHours =>
  to > from ? [{ days: workingDays.filter((day) => days.includes(day)), from, to }] : []

/**
 * Returns the calendar of a tenant. A user without own working hours works in the callback hours of the tenant, in the
 * time zone of the tenant.
 */
export const calendarOf = ({ config }: Pick<Tenant, "config">, users: ReadonlyArray<User>): Calendar => {
  const clock = wallClock(config.timeZone)
  const office = businessTime(officeHours(config.voice.callbackHours), clock)
  const own = new Map(
    users.flatMap(({ timeZone, userId, workingHours }): ReadonlyArray<readonly [string, BusinessSeconds]> =>
      workingHours === null ? [] : [[userId, businessTime(workingHours, wallClock(timeZone ?? config.timeZone))]]
    )
  )
  return {
    dayOf: (millis) => clock.read(millis).date,
    businessSeconds: (userId, from, to) => (own.get(userId ?? "") ?? office)(from, to)
  }
}
