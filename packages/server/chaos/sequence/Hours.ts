/** The hours in which the documentation permits a step, and the delay before it. */
import { localOf, momentOf, plusDays } from "./LocalTime.ts"
import type { Person, PlannedStep, PlannedTenant } from "./Plan.ts"

const units = { minutes: 60_000, hours: 3_600_000 }
const quarterMillis = 900_000
/** Two weeks of quarters of an hour. */
const searched = 14 * 96

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns why no message may reach a person at a time; null if it may. */
export const quietReason = ({ zone }: Person, tenant: PlannedTenant, at: number): string | null => {
  const { minute } = localOf(zone, at)
  if (minute < 8 * 60 || minute >= 21 * 60) return "quiet hours of the contact"
  if (tenant.quiet === null) return null
  const local = localOf(tenant.zone, at).minute
  const isQuiet = local >= minuteOf(tenant.quiet.from) && local < minuteOf(tenant.quiet.to)
  return isQuiet ? "quiet hours of the guardrails" : null
}

/** Returns why a step may not run at a time; null if it may. */
export const hoursReason = (person: Person, tenant: PlannedTenant, step: PlannedStep, at: number): string | null => {
  const { minute, weekday } = localOf(person.zone, at)
  const isOffice = weekday !== "sat" && weekday !== "sun" && minute >= 9 * 60 && minute < 17 * 60
  if (step.inOffice && !isOffice) return "outside the hours of the step"
  return step.kind === "email" || step.kind === "sms" ? quietReason(person, tenant, at) : null
}

/** Returns the end of the delay of a step. Days keep the local time. */
export const afterDelay = ({ zone }: Person, { delay: { amount, unit } }: PlannedStep, base: number): number => {
  if (unit !== "days") return base + amount * units[unit]
  const { date, minute } = localOf(zone, base)
  return momentOf(zone, plusDays(date, amount), minute) + (base % 60_000)
}

/** Returns the first permitted time from a time on. All hours begin and end at a quarter of an hour. */
export const permittedFrom = (person: Person, tenant: PlannedTenant, step: PlannedStep, from: number): number => {
  let at = from
  for (let count = 0; count < searched && hoursReason(person, tenant, step, at) !== null; count++)
    at = (Math.floor(at / quarterMillis) + 1) * quarterMillis
  return at
}
