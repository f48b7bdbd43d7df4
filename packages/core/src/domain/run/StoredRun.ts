import { type Cause, describeReason, isKnownReason, type Reason } from "../reason/Reason.ts"
import type { Classification } from "../classification/Classification.ts"
import type { Recorded } from "../classification/Model.ts"
import { type CheckedReply, type ModelNotCalled, nothingRecorded, type Recordings } from "./Recordings.ts"
import type { RunResult, RunStep, WeighedReply } from "./Run.ts"

/**
 * The stored form of a run. A reason is stored as text in `reason` and as data in `reasonData`. Older releases stored
 * only the text. A newer release may have stored a code that this release does not know. Both are read as the reason
 * `stored_text`.
 */
interface StoredReason<R> {
  readonly reason: string
  readonly reasonData?: R
}

const withText = <R extends Reason, A>({ reason, ...of }: A & { readonly reason: R }) => ({
  ...of,
  reason: describeReason(reason),
  reasonData: reason
})

const reasonOf = <R extends Reason>(text: string, data: R | undefined): R | Extract<Cause, { code: "stored_text" }> =>
  data !== undefined && isKnownReason(data) ? data : { code: "stored_text", text }

const withData = <R extends Reason, A>({ reason, reasonData, ...of }: A & StoredReason<R>) => ({
  ...of,
  reason: reasonOf(reason, reasonData)
})

interface StoredStep extends StoredReason<Reason>, Pick<RunStep, "step" | "outcome"> {
  readonly afterwards?: string
  readonly afterwardsData?: Reason
}

type StoredEvaluation = StoredReason<Cause> & Omit<WeighedReply["evaluations"][number], "reason">

/**
 * The stored form of a result. Results of older versions have no `written`, because those versions did not check
 * replies.
 */
export interface StoredResult extends Omit<RunResult, "written" | "steps"> {
  readonly written?:
    | (Omit<WeighedReply, "evaluations"> & { readonly evaluations: ReadonlyArray<StoredEvaluation> })
    | null
  readonly steps: ReadonlyArray<StoredStep>
}

const stepToStored = ({ afterwards, ...step }: RunStep): StoredStep => ({
  ...withText(step),
  ...(afterwards !== undefined && { afterwards: describeReason(afterwards), afterwardsData: afterwards })
})

const stepOfStored = ({ afterwards, afterwardsData, ...step }: StoredStep): RunStep => ({
  ...withData(step),
  ...(afterwards !== undefined && { afterwards: reasonOf(afterwards, afterwardsData) })
})

/** Returns the stored form of a result. */
export const resultToStored = ({ steps, written, ...result }: RunResult): StoredResult => ({
  ...result,
  written: written && { ...written, evaluations: written.evaluations.map((one) => withText<Cause, typeof one>(one)) },
  steps: steps.map(stepToStored)
})

/** Restores a result from its stored form. */
export const resultOfStored = ({ steps, written, ...result }: StoredResult): RunResult => ({
  ...result,
  written: written ? { ...written, evaluations: written.evaluations.map((one) => withData(one)) } : null,
  steps: steps.map(stepOfStored)
})

type Answer<A> = Recorded<A> | ModelNotCalled | null
type StoredAnswer<A> = Recorded<A> | (StoredReason<Cause> & Pick<ModelNotCalled, "outcome">) | null

interface StoredReply extends Omit<CheckedReply, "concerns"> {
  readonly concerns: ReadonlyArray<string>
  readonly concernsData?: ReadonlyArray<Cause>
}

export interface StoredRecordings {
  readonly classification: StoredAnswer<Classification>
  readonly reply: StoredAnswer<StoredReply>
}

const answerToStored = <A, B>(answer: Answer<A>, encode: (value: A) => B): StoredAnswer<B> => {
  if (answer?.outcome === "answered") return { ...answer, value: encode(answer.value) }
  return answer?.outcome === "skipped" ? withText(answer) : answer
}

const answerOfStored = <A, B>(answer: StoredAnswer<B>, decode: (value: B) => A): Answer<A> => {
  if (answer?.outcome === "answered") return { ...answer, value: decode(answer.value) }
  return answer?.outcome === "skipped" ? withData(answer) : answer
}

/** Returns the stored form of the answers of models. Null when the run needed no model. */
export const recordingsToStored = ({ classification, reply }: Recordings): StoredRecordings | null =>
  classification === null && reply === null
    ? null
    : {
        classification: answerToStored(classification, (value) => value),
        reply: answerToStored(reply, ({ concerns, text }) => ({
          text,
          concerns: concerns.map((one) => describeReason(one)),
          concernsData: concerns
        }))
      }

/** Restores the answers of models from their stored form. */
export const recordingsOfStored = (stored: StoredRecordings | null): Recordings =>
  stored === null
    ? nothingRecorded
    : {
        classification: answerOfStored(stored.classification, (value) => value),
        reply: answerOfStored(stored.reply, ({ concerns, concernsData, text }) => ({
          text,
          concerns: concerns.map((one, index) => reasonOf(one, concernsData?.[index]))
        }))
      }
