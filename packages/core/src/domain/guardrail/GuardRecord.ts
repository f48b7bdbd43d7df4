import type { ContactId, Id, MessageId, SignalId } from "../Id.ts"
import type { GuardEvaluation } from "./Guardrail.ts"

/** The stage of a check: a reply that was just written, or a draft that a person approves. */
export const guardStages = ["reply", "approval"] as const
export type GuardStage = (typeof guardStages)[number]

/** The stored result of one guardrail for one reply. Its ids are ordered by the time of the check. */
export interface GuardRecord extends Omit<GuardEvaluation, "reason"> {
  /** The text of the reason. */
  readonly reason: string
  readonly evaluationId: Id<"gev">
  readonly tenantId: string
  readonly stage: GuardStage
  /** The signal and the message that the reply answers, and the recipient. */
  readonly signalId: SignalId
  readonly messageId: MessageId
  readonly contactId: ContactId
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** Returns the UTC day (`YYYY-MM-DD`) in which a time in epoch milliseconds is counted. */
export const guardDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** The number of equal outcomes of a guardrail in a period. */
export interface GuardCount extends Pick<GuardEvaluation, "guardrailId" | "kind" | "outcome"> {
  readonly count: number
}
