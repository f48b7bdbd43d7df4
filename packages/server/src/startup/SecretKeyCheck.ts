import { createHmac } from "node:crypto"
import { join } from "node:path"
import { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import { databaseName, readDatabaseUrl } from "@leadloom/store/internal/DatabaseUrl"
import { claimSetting, replaceSetting, settingOf } from "@leadloom/store/internal/deployment/Deployment"
import { memory } from "@leadloom/store/internal/Sqlite"
import { Effect, Layer } from "effect"
import type { ServerConfig } from "../config/Config.ts"
import { readMarker, secretFile, writeMarker } from "./DataDir.ts"
import { StartupFailed } from "./StartupFailed.ts"
import { log } from "../LogEvents.ts"

/** FROZEN, because databases store it. Returns a fingerprint, which identifies a secret key without revealing it. */
export const fingerprintOf = (pepper: Uint8Array): string =>
  createHmac("sha256", pepper).update("leadloom/deployment/1").digest("hex").slice(0, 32)

/** The name of the setting in the database. */
export const setting = "secret_key"

const another =
  "This database uses another secret key, so this server would reject every credential in it. Set the same " +
  "LEADLOOM_SECRET_KEY on all servers, or copy secret.key from the first server's data directory. If the key is lost, set " +
  "LEADLOOM_SECRET_KEY_LOST=yes for one start, and create all API keys and source keys again."

const emptied = (database: string, found: string): string =>
  `The database ${database} is empty, but ${found}. Check LEADLOOM_DATABASE_URL, or restore the database from a backup ` +
  "(leadloom db restore --from <file>). To start a new deployment with the same secret key, set " +
  "LEADLOOM_NEW_DATABASE=yes for one start."

type Serving = Pick<ServerConfig, "databaseUrl" | "dataDir" | "newDatabase" | "secretKey" | "secretKeyLost">

/**
 * Returns the evidence that the data directory belongs to an earlier deployment; null if there is none. `mine` is the
 * fingerprint of this server's secret key.
 */
export const earlierDeployment = Effect.fnUntraced(function* (
  { dataDir, secretKey }: Pick<ServerConfig, "dataDir" | "secretKey">,
  mine: string
) {
  const marker = yield* readMarker(dataDir)
  if (marker === mine) return "this server's data directory has served another database with this secret key"
  // A start that generates a key writes the marker file first.
  if (marker === null && secretKey === null) return `${join(dataDir, secretFile)} is the key of an earlier deployment`
  return null
})

/**
 * Rejects an empty database if the data directory belongs to an earlier deployment with the same key. Probably the
 * database was lost or the URL is wrong, and the server would store messages in the wrong place. An in-memory database
 * is permitted, because it is empty after every start.
 */
const requireContents = Effect.fnUntraced(function* (config: Serving, mine: string) {
  const place = readDatabaseUrl(config.databaseUrl)
  if (place === null || (place.kind === "sqlite" && place.filename === memory)) return
  if (config.newDatabase) return yield* log("server.new_database", {})
  const found = yield* earlierDeployment(config, mine)
  if (found === null || (yield* settingOf(setting)) !== null) return
  return yield* new StartupFailed({ line: emptied(databaseName(place), found) })
})

/**
 * Checks that all servers of a database use the same secret key. Stored credentials are hashed with it. A server with
 * another key does not start, because it would reject valid credentials.
 */
export const layer = (config: Serving) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const mine = fingerprintOf((yield* Secrets).pepper)
      yield* requireContents(config, mine)
      if (config.secretKeyLost) {
        yield* replaceSetting(setting, mine)
        yield* log("server.secret_key_replaced", {})
      }
      if ((yield* claimSetting(setting, mine)) !== mine) return yield* new StartupFailed({ line: another })
      yield* writeMarker(config.dataDir, mine)
    }).pipe(
      Effect.catchTag("StoreUnavailable", ({ reason }) =>
        Effect.fail(new StartupFailed({ line: `The database does not answer: ${reason.replace(/\s+/gu, " ")}` }))
      )
    )
  )
