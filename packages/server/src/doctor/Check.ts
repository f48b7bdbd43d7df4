import type { Effect } from "effect"
import type { Finding } from "./Finding.ts"
import type { DoctorContext } from "./DoctorContext.ts"

/** One thing that the doctor looks at. A file of its own in `check/`, and a line in `Checks.ts`. */
export interface Check {
  readonly name: string
  /** Never fails: what cannot be found out is a finding. */
  readonly run: (context: DoctorContext) => Effect.Effect<ReadonlyArray<Finding>>
}
