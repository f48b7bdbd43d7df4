import type { MessageId, SignalId } from "../../Id.ts"

/** A job that forwards the email of a run. Its files are copied outside the unit of work of the run. */
export interface ForwardJob {
  readonly kind: "forward"
  readonly ruleId: string
  readonly signalId: SignalId
  /** The index of the action in the run. */
  readonly position: number
  readonly messageId: MessageId
  /** Normalised. */
  readonly to: ReadonlyArray<string>
  /** The rendered text above the forwarded email; empty: none. */
  readonly body: string
}

/** The period in which the server tries again to read the files of the email. */
export const forwardWindowMillis = 24 * 3_600_000
