import type { Examination } from "@leadloom/store/admin/Examination"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

const migrationFindings = ({ migrations }: Examination): Finding => {
  const { applied, isUnfinishedCopy, missing, unknown } = migrations
  if (isUnfinishedCopy)
    return problem(
      "The database is an unfinished copy of another one.",
      "Finish the copy with leadloom db copy --resume."
    )
  if (unknown.length > 0)
    return problem(`The database has migrations of a newer version: ${unknown.join(", ")}.`, "Start the newer version.")
  if (missing.length > 0)
    return warning(
      `The database lacks migrations: ${missing.join(", ")}.`,
      "Run leadloom db migrate, or restart the server."
    )
  return healthy(`The database has all ${applied.length} migrations of this version.`)
}

/** Checks that the database answers and has the tables of this version. */
export const database: Check = {
  name: "database",
  run: (context) =>
    Effect.sync(() => {
      const seen = context.database
      if (seen === null) return []
      if (seen.kind === "missing") return [healthy("The database does not exist yet; the first start creates it.")]
      if (seen.kind === "unreachable") {
        return [
          problem(seen.line, "Start the database, or correct address, user, password or name in LEADLOOM_DATABASE_URL.")
        ]
      }
      return [healthy(`${seen.examination.database} answers.`), migrationFindings(seen.examination)]
    })
}
