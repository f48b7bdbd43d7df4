import { backupDatabase, type BackupReport, type BackupRequest } from "@leadloom/store/admin/BackupDatabase"
import { copyDatabase, type CopyReport, type CopyRequest, isSame } from "@leadloom/store/admin/CopyDatabase"
import { type DatabaseStatus, databaseStatus } from "@leadloom/store/admin/DatabaseStatus"
import { migrateDatabase, type MigrateReport } from "@leadloom/store/admin/MigrateDatabase"
import { readConfig } from "../Config.ts"
import type { Environment } from "../Variables.ts"
import { AdminFailed, runAdmin } from "./AdminFailed.ts"

export type { BackupReport, CopyReport, DatabaseStatus, MigrateReport }
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
