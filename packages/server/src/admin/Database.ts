/**
 * Commands of the operator on a database: migration, status, copy, backup, restoration, new encryption of secrets and recounts.
 * The SQL belongs in `packages/store/src/admin`. Tests: `packages/server/test/admin`.
 */

import {
  backupDatabase,
  type BackupReport,
  type BackupRequest
} from "@leadloom/store/internal/admin/backup/BackupDatabase"
import { copyDatabase, type CopyReport, type CopyRequest, isSame } from "@leadloom/store/internal/admin/CopyDatabase"
import { type DatabaseStatus, databaseStatus } from "@leadloom/store/internal/admin/DatabaseStatus"
import { migrateDatabase, type MigrateReport } from "@leadloom/store/internal/admin/MigrateDatabase"
import { restoreDatabase, type RestoreReport } from "@leadloom/store/internal/admin/backup/RestoreDatabase"
import { type RecountReport, requestRecount } from "@leadloom/store/internal/admin/report/RequestRecount"
import { resealDatabase, type ResealProgress, type ResealReport } from "@leadloom/store/internal/admin/ResealDatabase"
import * as NodeVault from "@leadloom/connectors/internal/vault/NodeVault"
import { resolve } from "node:path"
import { Effect } from "effect"
import { readConfig, type ServerConfig } from "../config/Config.ts"
import { existingSecretOfDataDir, hasSecretFile } from "../startup/DataDir.ts"
import { fingerprintOf } from "../startup/SecretKeyCheck.ts"
import { pepperOf } from "../startup/Pepper.ts"
import type { Environment } from "../config/Variables.ts"
import { AdminFailed, runAdmin } from "./AdminFailed.ts"

export type { BackupReport, CopyReport, DatabaseStatus, MigrateReport, RecountReport, ResealReport, RestoreReport }
export type { CopiedTable, CopyProgress } from "@leadloom/store/internal/admin/CopyDatabase"

/** Returns the configuration. Throws `AdminFailed` if the environment is invalid. */
const configOf = (env: Environment): ServerConfig => {
  const config = readConfig(env)
  if ("mistakes" in config) throw new AdminFailed(config.mistakes.join(" "))
  return config
}

/**
 * Returns the given database URL, or the URL that the server uses in this environment.
 * @throws AdminFailed when the environment is invalid
 */
export const databaseUrlOf = (env: Environment, given: string | undefined): string => given ?? configOf(env).databaseUrl

/** Migrates a database to this version. Several processes may run it concurrently. */
export const migrate = (url: string): Promise<MigrateReport> => runAdmin(migrateDatabase(url))

/** Reports the version and the migrations of a database. */
export const status = (url: string): Promise<DatabaseStatus> => runAdmin(databaseStatus(url))

/** Records that a server has to count the reports of a tenant again. */
export const recountReports = (url: string, tenantId: string): Promise<RecountReport> =>
  runAdmin(requestRecount(url, tenantId))

/** Copies a database into another one. Aborting `signal` stops the copy, and `resume` continues it. */
export const copy = (request: CopyRequest, signal?: AbortSignal): Promise<CopyReport> =>
  runAdmin(copyDatabase(request), signal)

/** Returns whether the copy is complete. */
export const isWhole = (report: CopyReport): boolean => report.tables.every(isSame)

/** Backs up a SQLite file. */
export const backup = (request: BackupRequest, signal?: AbortSignal): Promise<BackupReport> =>
  runAdmin(backupDatabase(request), signal)

/** The input of the command that restores a backup. */
export interface RestoreInput {
  /** The environment of the server. It determines the secret key, which the backup has to match. */
  readonly env: Environment
  readonly url: string
  readonly from: string
  readonly force?: boolean
  readonly onProgress?: (pages: number, total: number) => void
}

/** The report of a restoration. */
export interface Restored extends RestoreReport {
  /** The folder in which the server expects its secret key; null if the server has a key. */
  readonly secretKeyMissingIn: string | null
}

/** Replaces a SQLite database with a backup. */
export const restore = async ({ env, ...request }: RestoreInput, signal?: AbortSignal): Promise<Restored> => {
  const { dataDir, secretKey, secretKeyLost } = configOf(env)
  const isMissing = secretKey === null && !hasSecretFile(dataDir)
  const work = Effect.gen(function* () {
    const key = isMissing || secretKeyLost ? null : (secretKey ?? (yield* existingSecretOfDataDir(dataDir)))
    return yield* restoreDatabase({ ...request, fingerprint: key === null ? null : fingerprintOf(pepperOf(key)) })
  })
  return { ...(await runAdmin(work, signal)), secretKeyMissingIn: isMissing ? resolve(dataDir) : null }
}

/** The input of the command that encrypts secrets again: the database, and the environment with the keys. */
export interface ResealRequest {
  /** The environment of the servers that use the database. It contains the keys. */
  readonly env: Environment
  readonly url: string
  readonly onProgress?: (at: ResealProgress) => void
}

/**
 * Encrypts every secret with the newest key that is encrypted with an older one. Servers may use the database at the
 * same time.
 */
export const reseal = ({ env, onProgress, url }: ResealRequest, signal?: AbortSignal): Promise<ResealReport> => {
  const config = configOf(env)
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

/** Returns whether every secret could be decrypted. Otherwise the old keys are still needed. */
export const isResealed = (report: ResealReport): boolean =>
  report.columns.every(({ unopened }) => unopened.length === 0)
