import type { Examination } from "@leadloom/store/admin/Examination"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

const migrationFindings = ({ migrations }: Examination): Finding => {
  const { applied, isUnfinishedCopy, missing, unknown } = migrations
  if (isUnfinishedCopy)
    return problem("It is an unfinished copy of another database.", "Finish it with leadloom db copy --resume.")
  if (unknown.length > 0)
    return problem(`It has migrations of a newer version: ${unknown.join(", ")}.`, "Start that version.")
  if (missing.length > 0)
    return warning(
      `It lacks migrations: ${missing.join(", ")}.`,
      "Run leadloom db migrate; the next start does it too."
    )
  return healthy(`It has all ${applied.length} migrations of this version.`)
}

/** The database answers and has the tables of this version. */
export const database: Check = {
  name: "database",
  run: (context) =>
    Effect.sync(() => {
      const seen = context.database
      if (seen === null) return []
      if (seen.kind === "missing") return [healthy("There is no database yet; the first start makes it.")]
      if (seen.kind === "unreachable") {
        return [
          problem(seen.line, "Start the database, or correct LEADLOOM_DATABASE_URL: address, user, password, name.")
        ]
      }
      return [healthy(`${seen.examination.database} answers.`), migrationFindings(seen.examination)]
    })
}
