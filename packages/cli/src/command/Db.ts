import type { Restored } from "@leadloom/server/internal/admin/Database"
import { Command } from "commander"
import { copyJson, formatCopy } from "../db/FormatCopy.ts"
import { type DatabaseContext, databaseAction } from "../db/DatabaseAction.ts"
import { type DatabaseProgress, silentProgress, startDatabaseProgress } from "../db/DatabaseProgress.ts"
import { resealJson, formatReseal } from "../db/FormatReseal.ts"
import { statusJson, formatStatus } from "../db/FormatStatus.ts"
import { exitCodes } from "../ExitCode.ts"
import { CommandFailed } from "../Failure.ts"
import { databaseHelp, databaseUrl } from "../Secret.ts"
import type { Terminal } from "../Terminal.ts"

interface CopyOptions {
  readonly from: string
  readonly to: string
  readonly resume?: boolean
}

interface RestoreOptions {
  readonly from: string
  readonly force?: boolean
}

interface BackupOptions {
  readonly to: string
  readonly force?: boolean
}

const onDatabase = (name: string, description: string): Command =>
  new Command(name).description(description).option("--database <url>", `${databaseHelp} (LEADLOOM_DATABASE_URL)`)

const migrate = (terminal: Terminal): Command =>
  onDatabase("migrate", "apply all migrations of this version").action(
    databaseAction(terminal, async ({ admin, show, url }) => {
      const report = await admin.migrate(url())
      const { applied, database } = report
      show(report, () =>
        applied.length === 0
          ? `${database} is up to date.\n`
          : `${database} is now up to date. Applied: ${applied.join(", ")}.\n`
      )
    })
  )

const status = (terminal: Terminal): Command =>
  onDatabase("status", "show version, size and tables of the database").action(
    databaseAction(terminal, async ({ admin, show, url }) => {
      const found = await admin.status(url())
      show(statusJson(found), () => formatStatus(found))
    })
  )

const progressOf = <Options>({ options, terminal }: DatabaseContext<Options>, unit: string): DatabaseProgress =>
  options.json === true ? silentProgress : startDatabaseProgress(terminal, unit, () => performance.now())

const copyAll = async (context: DatabaseContext<CopyOptions>): Promise<void> => {
  const { admin, options, show, terminal } = context
  const { resume = false } = options
  const from = await databaseUrl(terminal, options.from)
  const to = await databaseUrl(terminal, options.to)
  const since = performance.now()
  const progress = progressOf(context, "rows")
  const step = { copy: "copying", compare: "comparing" } as const
  const onProgress = (at: { phase: "copy" | "compare"; table: string; rows: number; total: number }): void =>
    progress.update(`${step[at.phase]} ${at.table}`, at.rows, at.total)
  const report = await admin.copy({ from, to, resume, onProgress }, terminal.signal).finally(progress.end)
  const seconds = (performance.now() - since) / 1_000
  show(copyJson(report, seconds), () => formatCopy(report, seconds))
  if (!admin.isWhole(report)) {
    const again = "The target differs from the source. Run the same command with --resume to repair the target."
    throw new CommandFailed(exitCodes.failed, "COPY_DIFFERS", again)
  }
}

const copy = (terminal: Terminal): Command =>
  new Command("copy")
    .description("copy a database into an empty one and compare both; the source may be in use")
    .requiredOption("--from <url>", databaseHelp)
    .requiredOption("--to <url>", databaseHelp)
    .option("--resume", "continue an interrupted copy")
    .action(databaseAction<CopyOptions>(terminal, copyAll))

const backup = (terminal: Terminal): Command =>
  onDatabase("backup", "back up a SQLite database; the database may be in use")
    .requiredOption("--to <file>", "path of the backup; its folder is created")
    .option("--force", "overwrite an existing file")
    .action(
      databaseAction<BackupOptions>(terminal, async (context) => {
        const { admin, options, show, url } = context
        const { force = false, to } = options
        const progress = progressOf(context, "pages")
        const onProgress = (pages: number, total: number): void => progress.update("backing up", pages, total)
        const report = await admin.backup({ url: url(), to, force, onProgress }, terminal.signal).finally(progress.end)
        show(report, () => `Backed up ${report.database} to ${report.file} and verified the copy.\n`)
      })
    )

/** Describes a restoration and the steps before the next start. */
const formatRestore = ({ database, from, missing, replaced, secretKeyMissingIn }: Restored): string =>
  [
    `Restored ${database} from ${from} and verified it.\n`,
    replaced === null ? "" : `The replaced database is now ${replaced}.\n`,
    missing.length === 0 ? "" : `The next start applies these migrations: ${missing.join(", ")}.\n`,
    secretKeyMissingIn === null
      ? "Restore the raw mail too, then start the server.\n"
      : `Before the start, copy secret.key of the same deployment to ${secretKeyMissingIn}, or set LEADLOOM_SECRET_KEY.\n`
  ].join("")

const restoreJson = ({ database, from, missing, replaced, secretKeyMissingIn }: Restored): unknown => ({
  database,
  from,
  missing_migrations: missing,
  replaced,
  secret_key_missing_in: secretKeyMissingIn
})

const restore = (terminal: Terminal): Command =>
  onDatabase("restore", "replace a SQLite database with a backup; stop the server first")
    .requiredOption("--from <file>", "path of the backup")
    .option("--force", "replace a database in use; its file is kept under another name")
    .action(
      databaseAction<RestoreOptions>(terminal, async (context) => {
        const { admin, options, show, url } = context
        const { force = false, from } = options
        const progress = progressOf(context, "pages")
        const onProgress = (pages: number, total: number): void => progress.update("restoring", pages, total)
        const input = { env: terminal.env, url: url(), from, force, onProgress }
        const restored = await admin.restore(input, terminal.signal).finally(progress.end)
        show(restoreJson(restored), () => formatRestore(restored))
      })
    )

const reseal = (terminal: Terminal): Command =>
  onDatabase(
    "reseal",
    "encrypt stored secrets again with the newest key of LEADLOOM_VAULT_KEYS; the database may be in use"
  ).action(
    databaseAction(terminal, async (context) => {
      const { admin, show, url } = context
      const progress = progressOf(context, "columns")
      const onProgress = (at: { column: string; done: number; total: number }): void =>
        progress.update(`sealing ${at.column}`, at.done, at.total)
      const requested = { env: terminal.env, url: url(), onProgress }
      const report = await admin.reseal(requested, terminal.signal).finally(progress.end)
      show(resealJson(report), () => formatReseal(report))
      if (!admin.isResealed(report)) {
        const again = "Some secrets cannot be decrypted. Add the key that encrypted them to LEADLOOM_VAULT_KEYS."
        throw new CommandFailed(
          exitCodes.failed,
          "NOT_RESEALED",
          `${again} If that key is lost, set these secrets again.`
        )
      }
    })
  )

const recountReports = (terminal: Terminal): Command =>
  onDatabase("recount-reports", "count the reports of a tenant again; servers may use the database")
    .requiredOption("--tenant <id>", "id of the tenant")
    .action(
      databaseAction<{ readonly tenant: string }>(terminal, async ({ admin, options, show, url }) => {
        const { database, tenantId } = await admin.recountReports(url(), options.tenant)
        show(
          { database, tenant_id: tenantId },
          () => `A server that uses ${database} counts the reports of ${tenantId} again within minutes.\n`
        )
      })
    )

/** `leadloom db`: works on the database directly, without a running server. */
export const dbCommand = (terminal: Terminal): Command =>
  new Command("db")
    .description(
      "migrate, inspect, copy, back up and restore the database, encrypt its secrets again and recount reports"
    )
    .addCommand(migrate(terminal))
    .addCommand(status(terminal))
    .addCommand(copy(terminal))
    .addCommand(backup(terminal))
    .addCommand(restore(terminal))
    .addCommand(reseal(terminal))
    .addCommand(recountReports(terminal))
