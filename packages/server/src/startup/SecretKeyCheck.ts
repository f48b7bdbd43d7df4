import { createHmac } from "node:crypto"
import { Secrets } from "@leadloom/core/domain/access/Secrets"
import { databaseName, readDatabaseUrl } from "@leadloom/store/DatabaseUrl"
import { claimSetting, replaceSetting, settingOf } from "@leadloom/store/deployment/Deployment"
import { memory } from "@leadloom/store/Sqlite"
import { Effect, Layer } from "effect"
import type { ServerConfig } from "../config/Config.ts"
import { readMarker, writeMarker } from "./DataDir.ts"
import { StartupFailed } from "./StartupFailed.ts"

/** FROZEN: databases hold it. Tells one secret from another and nothing else about it. */
export const fingerprintOf = (pepper: Uint8Array): string =>
  createHmac("sha256", pepper).update("leadloom/deployment/1").digest("hex").slice(0, 32)

/** What the database calls it. */
export const setting = "secret_key"

const another =
  "This database was made under another secret key: every credential in it would be refused. Give all servers the same " +
  "LEADLOOM_SECRET_KEY, or the secret.key of the first one's data directory. If it is lost, set " +
  "LEADLOOM_SECRET_KEY_LOST=yes once; then every API key and source key has to be made anew."

const emptied = (database: string): string =>
  `The database ${database} is empty, and this server's data directory has served one under this secret key. Check ` +
  "LEADLOOM_DATABASE_URL, or restore the database from a backup. To begin a new deployment with the same secret key, set " +
  "LEADLOOM_NEW_DATABASE=yes once."

type Serving = Pick<ServerConfig, "databaseUrl" | "dataDir" | "newDatabase" | "secretKeyLost">

/**
 * Refuses a database without contents where one was served before under the same key: it was lost or mistaken, and a server
 * that silently began anew would accept messages beside the real one. A database in memory begins anew each time.
 */
const requireContents = Effect.fnUntraced(function* ({ dataDir, databaseUrl, newDatabase }: Serving, mine: string) {
  const place = readDatabaseUrl(databaseUrl)
  if (place === null || (place.kind === "sqlite" && place.filename === memory)) return
  if (newDatabase) return yield* Effect.logWarning("LEADLOOM_NEW_DATABASE: an empty database is taken; unset it again")
  if ((yield* readMarker(dataDir)) !== mine || (yield* settingOf(setting)) !== null) return
  return yield* new StartupFailed({ line: emptied(databaseName(place)) })
})

/**
 * All servers on one database have to have one secret key: credentials are kept as hashes under it. A server with
 * another one does not start, rather than refuse what the others accept.
 */
export const layer = (config: Serving) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const mine = fingerprintOf((yield* Secrets).pepper)
      yield* requireContents(config, mine)
      if (config.secretKeyLost) {
        yield* replaceSetting(setting, mine)
        yield* Effect.logWarning("LEADLOOM_SECRET_KEY_LOST: this server's secret key is in force now; unset it again")
      }
      if ((yield* claimSetting(setting, mine)) !== mine) return yield* new StartupFailed({ line: another })
      yield* writeMarker(config.dataDir, mine)
    }).pipe(
      Effect.catchTag("StoreUnavailable", ({ reason }) =>
        Effect.fail(new StartupFailed({ line: `The database does not answer: ${reason.replace(/\s+/gu, " ")}` }))
      )
    )
  )
