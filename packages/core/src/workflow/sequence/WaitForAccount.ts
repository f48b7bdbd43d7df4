import { withEntry } from "../../domain/sequence/Enrolment.ts"
import { permittedAt } from "../../domain/sequence/PlanStep.ts"
import type { SendStep } from "../../domain/sequence/Sequence.ts"
import { accountLookMillis, maxAccountWaitMillis, type NoAccount } from "./ChooseAccount.ts"
import { saveEnrolment } from "./Enrolments.ts"
import { postpone } from "./FinishStep.ts"
import { plainEntry } from "./PlanEnrolment.ts"
import type { Due } from "./ReadDueStep.ts"

/**
 * Moves a step whose account cannot send to the next look at the account. The entry keeps the time at which the wait
 * began. After a week, the enrolment is paused, and its continuation begins a new wait. Runs inside a unit of work.
 */
export const waitForAccount = (due: Due, step: SendStep, { unavailable }: NoAccount, now: number) => {
  const { enrolment, followed, hours } = due
  const { history } = enrolment
  const last = history.at(-1)
  const waits = last?.outcome === "delayed" && last.step === step.name && last.reason === unavailable
  const since = waits ? last.at : now
  if (now - since < maxAccountWaitMillis) {
    const until = now + accountLookMillis
    const delay = { until: permittedAt(hours, step, until)?.at ?? until, reason: unavailable, since }
    return postpone(due, step, delay, now)
  }
  const entry = plainEntry(step.name, followed.version, "delayed", now, `paused, because for a week ${unavailable}`)
  const state = {
    state: "paused",
    pauseReason: "account_unavailable",
    step: step.name,
    version: followed.version
  } as const
  return saveEnrolment({ ...enrolment, ...state, history: withEntry(history, entry), updatedAt: now })
}
