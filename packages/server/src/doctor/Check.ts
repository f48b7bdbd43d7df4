import type { Effect } from "effect"
import type { Finding } from "./Finding.ts"
import type { DoctorContext } from "./DoctorContext.ts"

/** One check of the doctor. Each check has a file in `check/` and a line in `Checks.ts`. */
export interface Check {
  readonly name: string
  /** Runs the check. It never fails; an error during the check becomes a finding. */
  readonly run: (context: DoctorContext) => Effect.Effect<ReadonlyArray<Finding>>
}
