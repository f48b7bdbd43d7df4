import type { Call } from "./Call.ts"
import type { CallReport, LegStatus } from "./CallReport.ts"

/** One leg of a call, as the provider has it in its books. Times are epoch milliseconds; null: it does not say. */
export interface CallLeg {
  readonly legId: string
  readonly status: LegStatus
  /** When somebody took it, or when it was dialled. */
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly durationSeconds: number | null
}

/** A leg, and the legs that were dialled for whoever is on it, oldest first. */
export interface CallLegs {
  readonly leg: CallLeg
  readonly dialed: ReadonlyArray<CallLeg>
}

/** The leg that says whether a call goes on, and whose it is; null: none is known. */
export const decidingLeg = (call: Call): { readonly legId: string; readonly about: "contact" | "agent" } | null => {
  const { contactLeg, direction, providerCallId, transferredTo } = call
  // After a transfer the agent's leg is gone, and the contact's goes on.
  if (direction === "outbound" && transferredTo === null && providerCallId !== null)
    return { legId: providerCallId, about: "agent" }
  return contactLeg === null ? null : { legId: contactLeg, about: "contact" }
}

/** Whether a leg is not over. */
export const isUp = (status: LegStatus): boolean => status === "queued" || status === "ringing" || status === "answered"

const reportOf = (call: Call, about: "contact" | "agent", leg: CallLeg, now: number): CallReport => {
  const { durationSeconds, endedAt, legId, startedAt, status } = leg
  const reported = (isUp(status) ? startedAt : endedAt) ?? now
  // Clocks differ, and nothing of a call is before it or after now.
  return { about, status, legId, durationSeconds, at: Math.min(Math.max(reported, call.startedAt), now) }
}

/**
 * What would have been told of a call whose deciding leg is found like this, in an order in which it could have been told:
 * first of whoever was called, so that who hung up in between is not taken for nobody.
 */
export const reportsOfLegs = (call: Call, { dialed, leg }: CallLegs, now: number): ReadonlyArray<CallReport> => {
  const about = decidingLeg(call)?.about ?? "contact"
  const other = about === "contact" ? "agent" : "contact"
  // Who was called after a transfer is neither of the two.
  const others = call.transferredTo === null ? dialed.map((each) => reportOf(call, other, each, now)) : []
  return [...others, reportOf(call, about, leg, now)]
}

/** How a call of which nothing is known any more has ended: with the last that was heard of it. */
export const lastKnown = (call: Call): CallReport => ({
  about: "contact",
  status: call.answeredAt === null ? "failed" : "completed",
  legId: null,
  durationSeconds: null,
  at: Math.max(call.updatedAt, call.startedAt)
})
