import { Cause, Effect } from "effect"
import type { Environment } from "../config/Variables.ts"
import { runAdmin } from "../admin/AdminFailed.ts"
import type { Check } from "./Check.ts"
import { checks } from "./Checks.ts"
import { type Finding, type NamedFinding, problem } from "./Finding.ts"
import { inspectDeployment, type DoctorContext } from "./DoctorContext.ts"

export type { Level, NamedFinding } from "./Finding.ts"

const runCheck = (context: DoctorContext) => (check: Check) =>
  Effect.map(
    Effect.catchCause(check.run(context), (cause) => {
      const broken: ReadonlyArray<Finding> = [
        problem(
          `This could not be looked at: ${String(Cause.squash(cause))}`,
          "Report this as a mistake of the program."
        )
      ]
      return Effect.succeed(broken)
    }),
    (findings) => findings.map((finding): NamedFinding => ({ check: check.name, ...finding }))
  )

/**
 * Looks at configuration, database, clock, disk and server, and says what it found. Changes nothing, and tells no secret.
 * `serverUrl` names a server that runs elsewhere than this environment says.
 */
export const examine = async (
  env: Environment,
  { serverUrl = null }: { readonly serverUrl?: string | null } = {}
): Promise<ReadonlyArray<NamedFinding>> => {
  const findings = await runAdmin(
    Effect.flatMap(inspectDeployment(env, serverUrl), (context) => Effect.forEach(checks, runCheck(context)))
  )
  return findings.flat()
}
