import { backupDatabase, type BackupReport, type BackupRequest } from "@leadloom/store/admin/BackupDatabase"
import { copyDatabase, type CopyReport, type CopyRequest, isSame } from "@leadloom/store/admin/CopyDatabase"
import { type DatabaseStatus, databaseStatus } from "@leadloom/store/admin/DatabaseStatus"
import { migrateDatabase, type MigrateReport } from "@leadloom/store/admin/MigrateDatabase"
import { resealDatabase, type ResealProgress, type ResealReport } from "@leadloom/store/admin/ResealDatabase"
import * as NodeVault from "@leadloom/connectors/vault/NodeVault"
import { Effect } from "effect"
import { readConfig } from "../config/Config.ts"
import { existingSecretOfDataDir } from "../startup/DataDir.ts"
import { fingerprintOf } from "../startup/SecretKeyCheck.ts"
import { pepperOf } from "../startup/Pepper.ts"
import type { Environment } from "../config/Variables.ts"
import { AdminFailed, runAdmin } from "./AdminFailed.ts"

export type { BackupReport, CopyReport, DatabaseStatus, MigrateReport, ResealReport }
export type { CopiedTable, CopyProgress } from "@leadloom/store/admin/CopyDatabase"

/**
 * The database that is meant: the one given, or the one that the server would use in this environment.
 * @throws AdminFailed when the environment says something that cannot be meant
 */
export const databaseUrlOf = (env: Environment, given: string | undefined): string => {
  if (given !== undefined) return given
  const config = readConfig(env)
  if ("mistakes" in config) throw new AdminFailed(config.mistakes.join(" "))
  return config.databaseUrl
}

/** Brings a database to this version. Any number of processes may do so at once. */
export const migrate = (url: string): Promise<MigrateReport> => runAdmin(migrateDatabase(url))

/** Looks at a database. */
export const status = (url: string): Promise<DatabaseStatus> => runAdmin(databaseStatus(url))

/** Copies a database into another; a signal stops it, and `resume` goes on. */
export const copy = (request: CopyRequest, signal?: AbortSignal): Promise<CopyReport> =>
  runAdmin(copyDatabase(request), signal)

/** Whether everything is in the copy. */
export const isWhole = (report: CopyReport): boolean => report.tables.every(isSame)

/** Backs up a SQLite file. */
export const backup = (request: BackupRequest, signal?: AbortSignal): Promise<BackupReport> =>
  runAdmin(backupDatabase(request), signal)

/** Which secrets are sealed again, and under which keys. */
export interface ResealRequest {
  /** The environment of the servers of the database: its keys are needed. */
  readonly env: Environment
  readonly url: string
  readonly onProgress?: (at: ResealProgress) => void
}

/** Seals everything again that is sealed under an old key. Servers may use the database meanwhile. */
export const reseal = ({ env, onProgress, url }: ResealRequest, signal?: AbortSignal): Promise<ResealReport> => {
  const config = readConfig(env)
  if ("mistakes" in config) throw new AdminFailed(config.mistakes.join(" "))
  const work = Effect.gen(function* () {
    const secretKey = config.secretKey ?? (yield* existingSecretOfDataDir(config.dataDir))
    const request = {
      url,
      fingerprint: fingerprintOf(pepperOf(secretKey)),
      onProgress: onProgress ?? (() => undefined)
    }
    return yield* Effect.provide(resealDatabase(request), NodeVault.layer(secretKey, config.vaultKeys))
  })
  return runAdmin(work, signal)
}

/** Whether nothing is left under an old key. */
export const isResealed = (report: ResealReport): boolean =>
  report.columns.every(({ unopened }) => unopened.length === 0)
