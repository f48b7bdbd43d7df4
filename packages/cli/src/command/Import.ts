import { Command } from "commander"
import { action, type ActionContext } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { exitCodes } from "../ExitCode.ts"
import { CommandFailed } from "../Failure.ts"
import { noProgress, startProgress } from "../import/Progress.ts"
import { openResume } from "../import/Resume.ts"
import { runImport } from "../import/RunImport.ts"
import { summarise, type Summary, summaryJson, formatSummary } from "../import/Summary.ts"
import { newCounter } from "../import/Tally.ts"
import { findMailFiles } from "../mail/MailFiles.ts"
import type { Terminal } from "../Terminal.ts"
import { wholeNumber } from "../WholeNumber.ts"

interface ImportOptions {
  readonly tenant: string
  readonly live?: boolean
  readonly restart?: boolean
  readonly concurrency: number
  readonly batch: number
}

const failOnErrors = (summary: Summary): void => {
  if (summary.interrupted) throw new CommandFailed(exitCodes.interrupted, "INTERRUPTED", "")
  const { length } = summary.failed
  if (length === 0) return
  const mails = length === 1 ? "1 mail was" : `${length} mails were`
  throw new CommandFailed(
    exitCodes.failed,
    "MAILS_FAILED",
    `${mails} not imported. Run the same command again to retry.`
  )
}

const importMail = async (
  { options, connection, terminal, show }: ActionContext<ImportOptions>,
  paths: ReadonlyArray<string>
): Promise<void> => {
  const client = adminClient(connection)
  const { files, ignored } = await findMailFiles(paths)
  const { tenant, concurrency, batch } = options
  const resume = await openResume(terminal, { url: connection.url, tenant, paths }, options.restart === true)
  const counter = newCounter()
  const size = files.reduce((sum, file) => sum + file.size, 0)
  const since = performance.now()
  const progress = options.json === true ? noProgress : startProgress(terminal, size, () => performance.now())
  const summary = (): Summary =>
    summarise(counter.tally(), {
      ignored,
      seconds: (performance.now() - since) / 1000,
      interrupted: terminal.signal.aborted
    })
  try {
    const historical = options.live !== true
    const { signal } = terminal
    await runImport({ client, tenant, files, historical, concurrency, batch, resume, counter, progress, signal })
  } finally {
    progress.end()
    const end = summary()
    show(summaryJson(end), () => formatSummary(end))
  }
  failOnErrors(summary())
}

/** `leadloom import`: imports existing mail. */
export const importCommand = (terminal: Terminal): Command =>
  new Command("import")
    .description("import mail from maildirs, mbox files, .eml files and folders; skips duplicates")
    .argument("<paths...>", "files and folders")
    .requiredOption("--tenant <id>", "tenant that owns the mail")
    .option("--live", "handle the mail like new mail; by default, imported mail is history and gets no replies")
    .option("--concurrency <n>", "number of concurrent requests", wholeNumber(1, 16), 2)
    .option("--batch <n>", "mails per request", wholeNumber(1, 100), 50)
    .option("--restart", "ignore the progress of earlier runs")
    .action(action<ImportOptions>(terminal, (context, ...paths) => importMail(context, paths)))
