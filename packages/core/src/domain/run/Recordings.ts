import type { Classification } from "../classification/Classification.ts"
import type { Recorded } from "../classification/Model.ts"
import type { Cause } from "../reason/Reason.ts"

/** The model was not called for a reason other than a failure. */
export interface ModelNotCalled {
  readonly outcome: "skipped"
  readonly reason: Cause
}

/** A reply by a model and the result of `checkReply`. */
export interface CheckedReply {
  readonly text: string
  /** Reasons why a person must read the reply first. Empty when there are none. */
  readonly concerns: ReadonlyArray<Cause>
}

/** The recorded answers of models in a run, or the reasons why they are missing. Null when no answer was needed. */
export interface Recordings {
  readonly classification: Recorded<Classification> | ModelNotCalled | null
  readonly reply: Recorded<CheckedReply> | ModelNotCalled | null
}

/** The questions to models in a run, in this order. */
export type Question = keyof Recordings

/** The recordings of a run without model calls. */
export const nothingRecorded: Recordings = { classification: null, reply: null }

/** Returns the reason when a model was called without a usable answer, or null. */
export const modelFailed = ({ classification, reply }: Recordings): string | null => {
  if (classification?.outcome === "failed") return classification.reason
  return reply?.outcome === "failed" ? reply.reason : null
}
