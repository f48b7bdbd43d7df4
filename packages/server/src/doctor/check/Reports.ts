import type { ReportSample } from "@leadloom/core/internal/workflow/report/SampleReports"
import { verifyReports } from "@leadloom/store/internal/admin/report/VerifyReports"
import { Effect } from "effect"
import { actionLine } from "../../admin/AdminFailed.ts"
import type { Check } from "../Check.ts"
import type { DoctorContext } from "../DoctorContext.ts"
import { type Finding, healthy, problem, warning } from "../Finding.ts"

/** The maximum number of tenants in the report. Of further tenants, only their number is reported. */
const maxListed = 20

const differing = ({ different, rows, tenantId }: ReportSample): Finding =>
  problem(
    `The reports of ${tenantId} differ from a recount: ${different} of ${rows} sampled rows.`,
    `Run leadloom db recount-reports --tenant ${tenantId}.`
  )

const findingsOf = (samples: ReadonlyArray<ReportSample>): ReadonlyArray<Finding> => {
  const different = samples.filter((sample) => sample.different > 0)
  const rows = samples.reduce((sum, sample) => sum + sample.rows, 0)
  if (different.length === 0)
    return [healthy(`The reports of ${samples.length} tenants equal a recount of ${rows} sampled rows.`)]
  const more = different.length - maxListed
  const rest =
    more > 0
      ? [
          warning(
            `The reports of ${more} further tenants differ.`,
            "Recount the tenants above, and run the doctor again."
          )
        ]
      : []
  return [...different.slice(0, maxListed).map(differing), ...rest]
}

/** Returns whether the database has exactly the tables that this version reads. */
const isCurrent = ({ database }: DoctorContext): boolean => {
  if (database?.kind !== "seen") return false
  const { isUnfinishedCopy, missing, unknown } = database.examination.migrations
  return !isUnfinishedCopy && missing.length === 0 && unknown.length === 0
}

/** Checks a sample of the reports against a recount. */
export const reports: Check = {
  name: "reports",
  run: (context) => {
    const { config, hide } = context
    if (config === null || !isCurrent(context)) return Effect.succeed([])
    return Effect.match(verifyReports(config.databaseUrl), {
      onSuccess: findingsOf,
      onFailure: (error) => [
        problem(`The reports cannot be read: ${hide(actionLine(error))}`, "Correct the findings about the database.")
      ]
    })
  }
}
