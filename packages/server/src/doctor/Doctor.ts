/**
 * Checks of a deployment: configuration, database, machine, providers and server. Repairs do not belong here. Tests:
 * `packages/server/test/admin`.
 */

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
        problem(`The check failed: ${String(Cause.squash(cause))}`, "Report this as a bug in Leadloom.")
      ]
      return Effect.succeed(broken)
    }),
    (findings) => findings.map((finding): NamedFinding => ({ check: check.name, ...finding }))
  )

/**
 * Checks configuration, database, clock, disk, providers and server, and returns the findings. Changes no data. The
 * findings contain no secrets. Pass `serverUrl` if the server's URL differs from the URL in the environment.
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
