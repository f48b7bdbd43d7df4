import type { PostgresExamination } from "@leadloom/store/admin/Examination"
import { serverConnections } from "@leadloom/store/Postgres"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

/** The oldest major version that the tests have seen. */
const oldestVersion = 15

const versionFinding = ({ version }: PostgresExamination): Finding => {
  const [major, minor] = [Math.floor(version / 10_000), version % 10_000]
  const found = `Postgres ${major}.${minor}; no extensions are needed.`
  return major >= oldestVersion
    ? healthy(found)
    : warning(found, `Upgrade to ${oldestVersion} or newer: older ones are not tested.`)
}

const connectionFinding = ({ connections, maxConnections }: PostgresExamination): Finding => {
  const found = `${connections} of ${maxConnections} connections are in use; a server takes up to ${serverConnections}.`
  return maxConnections - connections >= serverConnections
    ? healthy(found)
    : warning(found, "Raise max_connections, or put a connection pool before the database.")
}

const writableFinding = ({ isReadOnly }: PostgresExamination): ReadonlyArray<Finding> =>
  isReadOnly
    ? [
        problem(
          "The database takes no writes: it is a standby, or read-only.",
          "Name the primary in LEADLOOM_DATABASE_URL."
        )
      ]
    : []

/** What matters of a Postgres. */
export const postgres: Check = {
  name: "postgres",
  run: ({ database }) =>
    Effect.sync(() => {
      if (database?.kind !== "seen" || database.examination.kind !== "postgres") return []
      const { examination } = database
      return [versionFinding(examination), ...writableFinding(examination), connectionFinding(examination)]
    })
}
