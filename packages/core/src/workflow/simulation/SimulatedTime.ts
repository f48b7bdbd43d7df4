import type { Enrolment } from "../../domain/sequence/Enrolment.ts"
import type { Sequence } from "../../domain/sequence/Sequence.ts"

/** The state of a simulation. */
export interface SimulatedTime {
  readonly tenantId: string
  /** The start of the period. */
  readonly since: number
  /** The name of the simulated rule; null: a sequence is simulated. What the rule really did is not a fact of its runs. */
  readonly ruleName: string | null
  /** The simulated sequence; null: the stored ones. */
  readonly sequence: Sequence | null
  /** The ids of the real enrolments in whose place the simulated ones are. */
  readonly replaced: ReadonlySet<string>
  /** The present simulated time, in epoch milliseconds. */
  now: number
  /** The id of the enrolment whose step is decided. Of steps that are due at the same moment, a smaller id runs first. */
  current: string
  /** The simulated enrolments by contact, oldest first. */
  readonly enrolments: Map<string, Array<Enrolment>>
  /** The slots of simulated emails, newest first. */
  readonly slots: Array<number>
}
