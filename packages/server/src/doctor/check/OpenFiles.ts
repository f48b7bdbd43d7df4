import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, warning } from "../Finding.ts"

/** Every connection is an open file, and so is every file of the database. */
const enough = 1_024

/** What it means that a process may have so many files open; null: without limit, or nobody knows. */
export const judgeLimit = (limit: number | null): Finding => {
  if (limit === null) return healthy("The number of open files has no limit.")
  const found = `A process may have ${limit} files open.`
  return limit >= enough
    ? healthy(found)
    : warning(found, "Raise it (ulimit -n 65536, or LimitNOFILE= of the unit): each connection takes one.")
}

const limitOf = (report: object): number | null => {
  const limits: unknown = "userLimits" in report ? report.userLimits : null
  const files: unknown =
    typeof limits === "object" && limits !== null && "open_files" in limits ? limits.open_files : null
  const soft: unknown = typeof files === "object" && files !== null && "soft" in files ? files.soft : null
  return typeof soft === "number" ? soft : null
}

/** A process may open as many files as a busy server needs. */
export const openFiles: Check = {
  name: "open files",
  run: () =>
    Effect.sync(() => {
      // Names of the machine's connections are nobody's business, and looking them up takes time.
      Reflect.set(process.report, "excludeNetwork", true)
      return [judgeLimit(limitOf(process.report.getReport()))]
    })
}
