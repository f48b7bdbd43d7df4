import { type Enrolment, withEntry } from "../../domain/sequence/Enrolment.ts"
import { permittedAt } from "../../domain/sequence/PlanStep.ts"
import type { SendStep } from "../../domain/sequence/Sequence.ts"
import { accountLookMillis, maxAccountWaitMillis, type NoAccount } from "./ChooseAccount.ts"
import { postponed } from "./FinishStep.ts"
import { plainEntry } from "./PlanEnrolment.ts"
import type { Due } from "./ReadDueStep.ts"

/**
 * Returns an enrolment whose step waits for the next look at an account that cannot send. The entry keeps the time at which the wait
 * began. After a week, the enrolment is paused, and its continuation begins a new wait.
 */
export const waitingForAccount = (due: Due, step: SendStep, { unavailable }: NoAccount, now: number): Enrolment => {
  const { enrolment, followed, hours } = due
  const { history } = enrolment
  const last = history.at(-1)
  const waits = last?.outcome === "delayed" && last.step === step.name && last.reason === unavailable
  const since = waits ? last.at : now
  if (now - since < maxAccountWaitMillis) {
    const until = now + accountLookMillis
    const delay = { until: permittedAt(hours, step, until)?.at ?? until, reason: unavailable, since }
    return postponed(due, step, delay, now)
  }
  const entry = plainEntry(step.name, followed.version, "delayed", now, `paused, because for a week ${unavailable}`)
  const state = {
    state: "paused",
    pauseReason: "account_unavailable",
    step: step.name,
    version: followed.version
  } as const
  return { ...enrolment, ...state, history: withEntry(history, entry), updatedAt: now }
}
