import type { Classification } from "../classification/Classification.ts"
import type { Recorded } from "../classification/Model.ts"
import type { Cause } from "../reason/Reason.ts"

/** No model was called. `reason` states why; a failed call is not recorded in this form. */
export interface ModelNotCalled {
  readonly outcome: "skipped"
  readonly reason: Cause
}

/** A reply by a model and the result of `checkReply`. */
export interface CheckedReply {
  readonly text: string
  /** Reasons why a person must read the reply before it is sent. Empty when there are none. */
  readonly concerns: ReadonlyArray<Cause>
}

/**
 * The recorded answers of models in a run. An answer is null when the run did not need it. A missing answer has its
 * reason.
 */
export interface Recordings {
  readonly classification: Recorded<Classification> | ModelNotCalled | null
  readonly reply: Recorded<CheckedReply> | ModelNotCalled | null
}

/** The questions that a run may ask models, in this order. */
export type Question = keyof Recordings

/** The recordings of a run without model calls. */
export const nothingRecorded: Recordings = { classification: null, reply: null }

/** Returns the reason why a model call gave no usable answer. Returns null when no call failed. */
export const modelFailed = ({ classification, reply }: Recordings): string | null => {
  if (classification?.outcome === "failed") return classification.reason
  return reply?.outcome === "failed" ? reply.reason : null
}
