import type { ContactId, LeadId, MessageId, RunId, SignalId } from "../Id.ts"
import type { Channel } from "../Channel.ts"
import type { Score } from "../lead/Score.ts"
import type { Classification } from "../classification/Classification.ts"
import type { GuardVerdict } from "../guardrail/Guardrail.ts"
import type { Recordings } from "./Recordings.ts"
import type { RunInputs } from "./RunSubject.ts"

/** Every step of a run, in the order they are taken. */
export const runSteps = ["classify", "score", "route", "reply", "guard", "act"] as const

/** What one step of a run did and why. */
export interface RunStep {
  readonly step: (typeof runSteps)[number]
  readonly outcome: "done" | "skipped" | "suppressed" | "failed"
  readonly reason: string
  /** What came of it when it was carried out, where that is more than the decision. */
  readonly afterwards?: string
}

/** A step in one sentence: why, and what came of it. */
export const stepText = ({ afterwards, reason }: RunStep): string =>
  afterwards === undefined ? reason : `${reason}; ${afterwards}`

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

/** A reply that was written, how it is meant to go, and what was said of it. `block`: nobody is shown a draft. */
export interface WeighedReply extends GuardVerdict {
  readonly text: string
  readonly channel: Channel
  readonly mode: "draft" | "auto"
}

/** Everything one passage through the pipeline decided. */
export interface RunResult {
  readonly classification: Classification | null
  readonly score: Score | null
  readonly matchedRules: ReadonlyArray<{ readonly ruleId: string; readonly name: string }>
  readonly actions: ReadonlyArray<RunAction>
  /** What was written, also where it is kept back; null: nothing was. */
  readonly written: WeighedReply | null
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
  /** Null: the run is older than the keeping of inputs, and cannot be replayed. */
  readonly inputs: RunInputs | null
  readonly recordings: Recordings
}

/** Which runs a list shows, newest message first. */
export interface RunQuery {
  readonly contactId: string | null
  readonly leadId: string | null
}
