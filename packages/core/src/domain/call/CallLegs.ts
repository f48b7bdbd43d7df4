import type { Call } from "./Call.ts"
import type { CallReport, LegStatus } from "./CallReport.ts"

/**
 * One leg of a call in the provider's records. Times are epoch milliseconds. A value is null if the provider reports
 * none.
 */
export interface CallLeg {
  readonly legId: string
  readonly status: LegStatus
  /** The time when the leg was answered; if it was not answered, the time when it was dialled. */
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly durationSeconds: number | null
}

/** A leg, and the legs dialled from it, oldest first. */
export interface CallLegs {
  readonly leg: CallLeg
  readonly dialed: ReadonlyArray<CallLeg>
}

/**
 * Returns the leg whose state decides whether a call is active, and the party on this leg. Returns null if no such leg
 * is known.
 */
export const decidingLeg = (call: Call): { readonly legId: string; readonly about: "contact" | "agent" } | null => {
  const { contactLeg, direction, providerCallId, transferredTo } = call
  // After a transfer, the agent's leg has ended. The contact's leg continues.
  if (direction === "outbound" && transferredTo === null && providerCallId !== null)
    return { legId: providerCallId, about: "agent" }
  return contactLeg === null ? null : { legId: contactLeg, about: "contact" }
}

/** Returns whether a leg is still active. */
export const isUp = (status: LegStatus): boolean => status === "queued" || status === "ringing" || status === "answered"

const reportOf = (call: Call, about: "contact" | "agent", leg: CallLeg, now: number): CallReport => {
  const { durationSeconds, endedAt, legId, startedAt, status } = leg
  const reported = (isUp(status) ? startedAt : endedAt) ?? now
  // The clocks of provider and server differ, so the time is limited to the range from the start of the call to now.
  return { about, status, legId, durationSeconds, at: Math.min(Math.max(reported, call.startedAt), now) }
}

/**
 * Reconstructs the reports of a call from the provider's records. The reports on dialled legs come first, because they
 * show that the parties talked. If the report on the first leg came first, a caller who hangs up after talking would
 * end the call as unanswered.
 */
export const reportsOfLegs = (call: Call, { dialed, leg }: CallLegs, now: number): ReadonlyArray<CallReport> => {
  const about = decidingLeg(call)?.about ?? "contact"
  const other = about === "contact" ? "agent" : "contact"
  // A leg dialled after a transfer belongs to neither contact nor agent.
  const others = call.transferredTo === null ? dialed.map((each) => reportOf(call, other, each, now)) : []
  return [...others, reportOf(call, about, leg, now)]
}

/**
 * Builds the final report of a call from its stored state, for a call about which the provider reports nothing more.
 */
export const lastKnown = (call: Call): CallReport => ({
  about: "contact",
  status: call.answeredAt === null ? "failed" : "completed",
  legId: null,
  durationSeconds: null,
  at: Math.max(call.updatedAt, call.startedAt)
})
