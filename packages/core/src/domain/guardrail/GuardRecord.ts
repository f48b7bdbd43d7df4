import type { ContactId, Id, MessageId, SignalId } from "../Id.ts"
import type { GuardEvaluation } from "./Guardrail.ts"

/** When guardrails were asked: about a reply that was just written, or about a draft as a person releases it. */
export const guardStages = ["reply", "approval"] as const
export type GuardStage = (typeof guardStages)[number]

/** One guardrail asked about one reply, kept: what it said and why. Its ids sort by the time it was asked. */
export interface GuardRecord extends GuardEvaluation {
  readonly evaluationId: Id<"gev">
  readonly tenantId: string
  readonly stage: GuardStage
  /** The signal and the message that the reply answers, and whom it would go to. */
  readonly signalId: SignalId
  readonly messageId: MessageId
  readonly contactId: ContactId
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The day that a time (epoch milliseconds) counts to, UTC, `YYYY-MM-DD`. */
export const guardDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** How often a guardrail said one thing in a time. */
export interface GuardCount extends Pick<GuardEvaluation, "guardrailId" | "kind" | "outcome"> {
  readonly count: number
}
