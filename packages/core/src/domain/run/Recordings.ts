import type { Classification } from "../classification/Classification.ts"
import type { Recorded } from "../classification/Model.ts"

/** The model was to be asked and was not: nothing went wrong, and nothing was said. */
export interface ModelNotCalled {
  readonly outcome: "skipped"
  readonly reason: string
}

/** What a model wrote, and what was found when it was looked through (`checkReply`). */
export interface CheckedReply {
  readonly text: string
  /** Why a person has to look at it; empty: nothing stands against it. */
  readonly concerns: ReadonlyArray<string>
}

/** What a model said for a run, or why it said nothing; null: nobody wanted to know. */
export interface Recordings {
  readonly classification: Recorded<Classification> | ModelNotCalled | null
  readonly reply: Recorded<CheckedReply> | ModelNotCalled | null
}

/** What a model is asked for a run, in this order. */
export type Question = keyof Recordings

/** Of a run for which no model was asked. */
export const nothingRecorded: Recordings = { classification: null, reply: null }

/** Whether a model was asked and gave nothing that can be used. */
export const modelFailed = ({ classification, reply }: Recordings): string | null => {
  if (classification?.outcome === "failed") return classification.reason
  return reply?.outcome === "failed" ? reply.reason : null
}
