import type { FieldValues } from "../field/FieldValues.ts"
import { isQuiet } from "../guardrail/EvaluateGuardrails.ts"
import type { Guardrail } from "../guardrail/Guardrail.ts"
import { quietUntil } from "../time/QuietHours.ts"
import { addDays, minutesOf, type WallClock, wallClock } from "../time/WallClock.ts"
import { isWithin, nextStart } from "../time/WorkingHours.ts"
import type { SequenceStep, StepDelay } from "./Sequence.ts"
import { isUntilDate, waitEnd } from "./WaitUntil.ts"

const unitMillis = { minutes: 60_000, hours: 3_600_000 } as const

/** The hours of a contact and of its tenant that determine when a step may run. */
export interface StepHours {
  /** The time zones of the contact's quiet hours. The first one is the contact's own zone. */
  readonly zones: ReadonlyArray<string>
  readonly tenantZone: string
  /** The guardrails of the tenant. Only quiet hours count. */
  readonly guardrails: ReadonlyArray<Guardrail>
  /** The custom fields of the contact. */
  readonly customFields: FieldValues
}

/** The earliest permitted time of a step, and why it is later than requested. */
export interface StepTime {
  readonly at: number
  readonly reason: string | null
}

/** Returns the clock of the contact's own zone. */
export const contactClock = ({ tenantZone, zones }: Pick<StepHours, "tenantZone" | "zones">): WallClock =>
  wallClock(zones[0] ?? tenantZone)

/** Returns the moment after a delay. Days keep the local time of the clock. */
export const afterDelay = (clock: WallClock, base: number, { amount, unit }: StepDelay): number => {
  if (unit !== "days") return base + amount * unitMillis[unit]
  if (amount === 0) return base
  const { date, minuteOfDay } = clock.read(base)
  return clock.moment({ date: addDays(date, amount), minuteOfDay }) + (base % 60_000)
}

/** Returns the start of the contact's next day. */
export const nextDay = (clock: WallClock, at: number): number =>
  clock.moment({ date: addDays(clock.read(at).date, 1), minuteOfDay: 0 })

/** Returns the start of the contact's current day. */
export const dayOf = (clock: WallClock, at: number): number =>
  clock.moment({ date: clock.read(at).date, minuteOfDay: 0 })

/** The days in which a permitted time is searched: two weeks, so that a week of conflicting hours ends the search. */
const searchedDays = 15

/** The maximum number of moves of a time. Hours that never permit a step would otherwise move it for ever. */
const maxMoves = 200

/** Returns the next moment of a local time after a moment. */
const nextMoment = (clock: WallClock, at: number, minuteOfDay: number): number => {
  const { date } = clock.read(at)
  const today = clock.moment({ date, minuteOfDay })
  return today > at ? today : clock.moment({ date: addDays(date, 1), minuteOfDay })
}

/** Returns the next time at which one of the tenant's quiet hours ends; null outside of them. */
export const guardEnd = (
  { guardrails, tenantZone }: Pick<StepHours, "guardrails" | "tenantZone">,
  at: number
): number | null => {
  const clock = wallClock(tenantZone)
  for (const guardrail of guardrails) {
    if (guardrail.kind !== "quiet_hours" || guardrail.enabled === false) continue
    if (isQuiet(guardrail, clock.read(at))) return nextMoment(clock, at, minutesOf(guardrail.to) ?? 0)
  }
  return null
}

/** Returns the next time to which hours move a step, and the reason; null if the step may run. */
const moveOf = (hours: StepHours, step: SequenceStep, clock: WallClock, at: number): StepTime | null | "never" => {
  const { window = [] } = step
  if (window.length > 0 && !isWithin(window, clock.read(at))) {
    const start = nextStart(window, clock, at)
    return start === null ? "never" : { at: start, reason: "outside the hours of the step" }
  }
  if (step.kind !== "send") return null
  const end = quietUntil(hours.zones, at) ?? guardEnd(hours, at)
  return end === null ? null : { at: end, reason: "quiet hours" }
}

/**
 * Returns the earliest time from `at` on at which a step may run: in its hours, and for messages outside the quiet hours
 * of the contact and of the tenant. Null if the hours permit no time in the next two weeks.
 */
export const permittedAt = (hours: StepHours, step: SequenceStep, at: number): StepTime | null => {
  const clock = contactClock(hours)
  let time: StepTime = { at, reason: null }
  for (let moves = 0; moves < maxMoves; moves++) {
    const move = moveOf(hours, step, clock, time.at)
    if (move === null) return time
    if (move === "never" || move.at > at + searchedDays * 86_400_000) return null
    time = { at: move.at, reason: time.reason ?? move.reason }
  }
  return null
}

/** Returns why a wait for a date of the contact has no end; null if it has one, and for other steps. */
export const dateFault = (hours: StepHours, step: SequenceStep, baseAt: number, now: number): string | null => {
  if (step.kind !== "wait" || !isUntilDate(step.until)) return null
  const clock = contactClock(hours)
  const end = waitEnd(step.until, clock, hours.customFields, afterDelay(clock, baseAt, step.delay), now)
  return "fault" in end ? end.fault : null
}

/**
 * Returns the earliest time of a step after its delay, in its hours. Null if its hours permit no time. A wait for a date
 * that the contact does not have ends with its delay.
 */
export const plannedAt = (hours: StepHours, step: SequenceStep, baseAt: number, now: number): StepTime | null => {
  const clock = contactClock(hours)
  const base = afterDelay(clock, baseAt, step.delay)
  const end =
    step.kind === "wait" && step.until !== undefined
      ? waitEnd(step.until, clock, hours.customFields, base, now)
      : { at: base }
  return permittedAt(hours, step, Math.max(now, "at" in end ? end.at : base))
}
