import type { Examination } from "@leadloom/store/internal/admin/Examination"
import { Effect } from "effect"
import type { ServerConfig } from "../../config/Config.ts"
import { existingSecretOfDataDir, hasSecretFile } from "../../startup/DataDir.ts"
import { pepperOf } from "../../startup/Pepper.ts"
import { earlierDeployment, fingerprintOf } from "../../startup/SecretKeyCheck.ts"
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

const notYet = healthy("The database does not exist yet; the first start creates it.")

/** Returns the finding for a missing SQLite file. A server with the key of an earlier deployment does not start. */
const missingFile = (config: ServerConfig): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const { dataDir, newDatabase, secretKey } = config
    if (newDatabase || (secretKey === null && !hasSecretFile(dataDir))) return notYet
    const key = secretKey ?? (yield* existingSecretOfDataDir(dataDir))
    const found = yield* earlierDeployment(config, fingerprintOf(pepperOf(key)))
    return found === null
      ? notYet
      : problem(
          `The database does not exist, but ${found}.`,
          "Restore it with leadloom db restore --from <file>, or correct LEADLOOM_DATABASE_URL. For a new deployment with the same secret key, set LEADLOOM_NEW_DATABASE=yes for one start."
        )
    // The check of the data directory reports an unreadable key.
  }).pipe(Effect.catch(() => Effect.succeed(notYet)))

/** Checks that the database answers and has the tables of this version. */
export const database: Check = {
  name: "database",
  run: ({ config, database: seen }) =>
    Effect.gen(function* () {
      if (seen === null || config === null) return []
      if (seen.kind === "missing") return [yield* missingFile(config)]
      if (seen.kind === "unreachable") {
        return [
          problem(seen.line, "Start the database, or correct address, user, password or name in LEADLOOM_DATABASE_URL.")
        ]
      }
      return [healthy(`${seen.examination.database} answers.`), migrationFindings(seen.examination)]
    })
}
