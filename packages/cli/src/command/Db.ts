import { Command } from "commander"
import { copyJson, formatCopy } from "../db/FormatCopy.ts"
import { type DatabaseContext, databaseAction } from "../db/DatabaseAction.ts"
import { type DatabaseProgress, silentProgress, startDatabaseProgress } from "../db/DatabaseProgress.ts"
import { resealJson, formatReseal } from "../db/FormatReseal.ts"
import { statusJson, formatStatus } from "../db/FormatStatus.ts"
import { exitCodes } from "../ExitCode.ts"
import { CommandFailed } from "../Failure.ts"
import type { Terminal } from "../Terminal.ts"

interface CopyOptions {
  readonly from: string
  readonly to: string
  readonly resume?: boolean
}

interface BackupOptions {
  readonly to: string
  readonly force?: boolean
}

const onDatabase = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option("--database <url>", "sqlite:<file> or postgres://… (LEADLOOM_DATABASE_URL)")

const migrate = (terminal: Terminal): Command =>
  onDatabase("migrate", "bring the database to this version").action(
    databaseAction(terminal, async ({ admin, show, url }) => {
      const report = await admin.migrate(url())
      const { applied, database } = report
      show(report, () =>
        applied.length === 0
          ? `${database} is at this version.\n`
          : `${database} is at this version now: ${applied.join(", ")}.\n`
      )
    })
  )

const status = (terminal: Terminal): Command =>
  onDatabase("status", "what the database is and holds").action(
    databaseAction(terminal, async ({ admin, show, url }) => {
      const found = await admin.status(url())
      show(statusJson(found), () => formatStatus(found))
    })
  )

const progressOf = <Options>({ options, terminal }: DatabaseContext<Options>, unit: string): DatabaseProgress =>
  options.json === true ? silentProgress : startDatabaseProgress(terminal, unit, () => performance.now())

const copyAll = async (context: DatabaseContext<CopyOptions>): Promise<void> => {
  const { admin, options, show, terminal } = context
  const { from, resume = false, to } = options
  const since = performance.now()
  const progress = progressOf(context, "rows")
  const step = { copy: "copying", compare: "comparing" } as const
  const onProgress = (at: { phase: "copy" | "compare"; table: string; rows: number; total: number }): void =>
    progress.update(`${step[at.phase]} ${at.table}`, at.rows, at.total)
  const report = await admin.copy({ from, to, resume, onProgress }, terminal.signal).finally(progress.end)
  const seconds = (performance.now() - since) / 1_000
  show(copyJson(report, seconds), () => formatCopy(report, seconds))
  if (!admin.isWhole(report)) {
    const again = "The target is not the same as the source. Repair it by the same command with --resume."
    throw new CommandFailed(exitCodes.failed, "COPY_DIFFERS", again)
  }
}

const copy = (terminal: Terminal): Command =>
  new Command("copy")
    .description("copy a database into an empty one, and compare; the source may be in use")
    .requiredOption("--from <url>", "sqlite:<file> or postgres://…")
    .requiredOption("--to <url>", "sqlite:<file> or postgres://…")
    .option("--resume", "go on with a copy that was broken off")
    .action(databaseAction<CopyOptions>(terminal, copyAll))

const backup = (terminal: Terminal): Command =>
  onDatabase("backup", "back up a SQLite database, which may be in use")
    .requiredOption("--to <file>", "the backup")
    .option("--force", "take the place of a file that is there")
    .action(
      databaseAction<BackupOptions>(terminal, async (context) => {
        const { admin, options, show, url } = context
        const { force = false, to } = options
        const progress = progressOf(context, "pages")
        const onProgress = (pages: number, total: number): void => progress.update("backing up", pages, total)
        const report = await admin.backup({ url: url(), to, force, onProgress }, terminal.signal).finally(progress.end)
        show(report, () => `${report.database} is backed up in ${report.file}, and checked.\n`)
      })
    )

const reseal = (terminal: Terminal): Command =>
  onDatabase(
    "reseal",
    "seal secrets again under the newest key (LEADLOOM_VAULT_KEYS); the database may be in use"
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
        const again = "Some secrets do not open. Add the key that they were sealed under to LEADLOOM_VAULT_KEYS."
        throw new CommandFailed(exitCodes.failed, "NOT_RESEALED", `${again} If it is lost, set these secrets anew.`)
      }
    })
  )

/** `leadloom db`: the database itself, without a server. */
export const dbCommand = (terminal: Terminal): Command =>
  new Command("db")
    .description("migrate, look at, copy and back up the database, and seal its secrets again")
    .addCommand(migrate(terminal))
    .addCommand(status(terminal))
    .addCommand(copy(terminal))
    .addCommand(backup(terminal))
    .addCommand(reseal(terminal))
