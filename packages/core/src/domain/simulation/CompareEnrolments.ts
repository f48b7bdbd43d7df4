import { type Enrolment, type EnrolmentEntry, isRunning } from "../sequence/Enrolment.ts"

/** The difference of times that counts as equal, in milliseconds. Workers run a step shortly after it is due. */
export const toleranceMillis = 300_000

/** Returns an enrolment as far as it had come at a time. */
export const enrolmentUntil = (enrolment: Enrolment, until: number): Enrolment => {
  const { history, state, updatedAt } = enrolment
  const past = history.filter(({ at }) => at < until)
  if (past.length === history.length && (state === "active" || updatedAt < until)) return enrolment
  const next = history[past.length]
  return {
    ...enrolment,
    history: past,
    state: "active",
    stopReason: null,
    pauseReason: null,
    step: next?.step ?? enrolment.step,
    nextAt: next?.at ?? enrolment.nextAt
  }
}

const isSameEntry = (one: EnrolmentEntry, other: EnrolmentEntry): boolean =>
  one.step === other.step &&
  one.version === other.version &&
  one.outcome === other.outcome &&
  one.reason === other.reason &&
  // Entries of older releases have no channel.
  (one.channel ?? other.channel) === (other.channel ?? one.channel) &&
  Math.abs(one.at - other.at) <= toleranceMillis

/** Returns whether two enrolments took the same course: the same steps with the same outcomes at the same times. */
export const isSameCourse = (one: Enrolment, other: Enrolment): boolean =>
  one.state === other.state &&
  one.stopReason === other.stopReason &&
  one.history.length === other.history.length &&
  one.history.every((entry, index) => {
    const its = other.history[index]
    return its !== undefined && isSameEntry(entry, its)
  })

/** Counts of enrolments and of their steps. */
export interface EnrolmentTotals {
  readonly enrolled: number
  readonly running: number
  readonly completed: number
  readonly stopped: number
  /** The contacts in the holdout group. */
  readonly heldOut: number
  /** The messages that were sent. */
  readonly sent: number
  /** The steps that were refused. */
  readonly refused: number
  /** The enrolments that stopped, by reason. */
  readonly stops: Readonly<Record<string, number>>
}

/** Counts enrolments and their steps. */
export const totalsOf = (enrolments: ReadonlyArray<Enrolment>): EnrolmentTotals => {
  const stops: Record<string, number> = {}
  for (const { stopReason } of enrolments) if (stopReason !== null) stops[stopReason] = (stops[stopReason] ?? 0) + 1
  const entries = enrolments.flatMap(({ history }) => history)
  return {
    enrolled: enrolments.length,
    running: enrolments.filter(isRunning).length,
    completed: enrolments.filter(({ state }) => state === "completed").length,
    stopped: enrolments.filter(({ state }) => state === "stopped").length,
    heldOut: enrolments.filter(({ state }) => state === "held_out").length,
    sent: entries.filter(({ outcome }) => outcome === "sent").length,
    refused: entries.filter(({ outcome }) => outcome === "refused").length,
    stops
  }
}
