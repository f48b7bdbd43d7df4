import type { ContactId, LeadId, MessageId, RunId, SignalId } from "../Id.ts"
import type { Score } from "../lead/Score.ts"
import type { Classification } from "./Classification.ts"

/** What one step of a run did and why. */
export interface RunStep {
  readonly step: "classify" | "score" | "route" | "act" | "reply"
  readonly outcome: "done" | "skipped" | "suppressed" | "failed"
  readonly reason: string
}

/** One action a matched rule asked for, and what became of it. */
export interface RunAction {
  readonly type: string
  readonly ruleId: string
  readonly outcome: "done" | "skipped"
  readonly reason: string
}

/** The reply a run produced. */
export interface RunReply {
  readonly text: string
  readonly channel: string
  readonly requiresApproval: boolean
}

/** Everything one passage through the pipeline decided. */
export interface RunResult {
  readonly classification: Classification | null
  readonly score: Score | null
  readonly matchedRules: ReadonlyArray<{ readonly ruleId: string; readonly name: string }>
  readonly actions: ReadonlyArray<RunAction>
  readonly reply: RunReply | null
  readonly steps: ReadonlyArray<RunStep>
}

/** A stored run: the result, and what it was made from. */
export interface Run extends RunResult {
  readonly runId: RunId
  readonly tenantId: string
  readonly signalId: SignalId
  readonly messageId: MessageId
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  readonly configVersion: number
  readonly createdAt: number
}
