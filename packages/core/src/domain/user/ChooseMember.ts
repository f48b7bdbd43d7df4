import type { UserId } from "../Id.ts"
import { timeFactsIn } from "../time/TimeFacts.ts"
import { isWithin } from "../time/WorkingHours.ts"
import type { User } from "./User.ts"

/**
 * The ways to choose a member of a team. `round_robin`: the member after the one who was chosen last. `least_loaded`:
 * the member with the fewest open leads, conversations and tasks in total. Snoozed work does not count.
 */
export const strategies = ["round_robin", "least_loaded"] as const

export type Strategy = (typeof strategies)[number]

/** Returns whether a user is at work at a moment. A user without working hours always is. */
export const isAtWork = ({ timeZone, workingHours }: User, tenantZone: string, now: number): boolean => {
  if (workingHours === null) return true
  const factsAt = timeFactsIn(timeZone ?? tenantZone) ?? timeFactsIn("UTC")
  return factsAt !== null && isWithin(workingHours, factsAt(now))
}

/** The candidates for new work, and the state that the choice depends on. */
export interface Candidates {
  /** Sorted by id. */
  readonly members: ReadonlyArray<UserId>
  /** The amount of open work of each member; a member without an entry has none. */
  readonly load: ReadonlyMap<string, number>
  /** The member who was chosen last; null: nobody yet. */
  readonly last: UserId | null
}

/**
 * Chooses a member, or returns null when there is none. Equal inputs give equal results. Members with equal load are
 * chosen in turn.
 */
export const chooseMember = (strategy: Strategy, { last, load, members }: Candidates): UserId | null => {
  const after = members.findIndex((member) => last !== null && member > last)
  const inTurn = after < 0 ? members : [...members.slice(after), ...members.slice(0, after)]
  const loadOf = (member: UserId): number => (strategy === "least_loaded" ? (load.get(member) ?? 0) : 0)
  return inTurn.reduce<UserId | null>(
    (best, member) => (best === null || loadOf(member) < loadOf(best) ? member : best),
    null
  )
}
