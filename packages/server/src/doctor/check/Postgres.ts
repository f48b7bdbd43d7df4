import type { PostgresExamination } from "@leadloom/store/internal/admin/Examination"
import { serverConnections } from "@leadloom/store/internal/Postgres"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

/** The oldest major version that the tests cover. */
const oldestVersion = 15

const versionFinding = ({ version }: PostgresExamination): Finding => {
  const [major, minor] = [Math.floor(version / 10_000), version % 10_000]
  const found = `Postgres ${major}.${minor}; no extensions are needed.`
  return major >= oldestVersion
    ? healthy(found)
    : warning(found, `Upgrade to version ${oldestVersion} or newer; older versions are not tested.`)
}

const connectionFinding = ({ connections, maxConnections }: PostgresExamination): Finding => {
  const found = `${connections} of ${maxConnections} connections are in use; a server uses up to ${serverConnections}.`
  return maxConnections - connections >= serverConnections
    ? healthy(found)
    : warning(found, "Raise max_connections, or use a connection pooler.")
}

const writableFinding = ({ isReadOnly }: PostgresExamination): ReadonlyArray<Finding> =>
  isReadOnly
    ? [
        problem(
          "The database rejects writes because it is a standby or read-only.",
          "Set LEADLOOM_DATABASE_URL to the primary."
        )
      ]
    : []

/** Checks version, write access and free connections of Postgres. */
export const postgres: Check = {
  name: "postgres",
  run: ({ database }) =>
    Effect.sync(() => {
      if (database?.kind !== "seen" || database.examination.kind !== "postgres") return []
      const { examination } = database
      return [versionFinding(examination), ...writableFinding(examination), connectionFinding(examination)]
    })
}
