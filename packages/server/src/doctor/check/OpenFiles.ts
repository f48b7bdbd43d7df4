import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, warning } from "../Finding.ts"

/**
 * The minimum number of open files for a busy server. Every connection is an open file, and so is every file of the
 * database.
 */
const enough = 1_024

/** Judges the maximum number of open files of a process. Null means unlimited or unknown. */
export const judgeLimit = (limit: number | null): Finding => {
  if (limit === null) return healthy("No limit of open files was found.")
  const found = `A process may have ${limit} open files.`
  return limit >= enough
    ? healthy(found)
    : warning(
        found,
        "Raise the limit (ulimit -n 65536, or LimitNOFILE= of the systemd unit). Each connection needs one file."
      )
}

const limitOf = (report: object): number | null => {
  const limits: unknown = "userLimits" in report ? report.userLimits : null
  const files: unknown =
    typeof limits === "object" && limits !== null && "open_files" in limits ? limits.open_files : null
  const soft: unknown = typeof files === "object" && files !== null && "soft" in files ? files.soft : null
  return typeof soft === "number" ? soft : null
}

/** Checks that a process may open as many files as a busy server needs. */
export const openFiles: Check = {
  name: "open files",
  run: () =>
    Effect.sync(() => {
      // This option leaves out the network connections of the process. Listing them takes time, and the check does not
      // need them.
      Reflect.set(process.report, "excludeNetwork", true)
      return [judgeLimit(limitOf(process.report.getReport()))]
    })
}
