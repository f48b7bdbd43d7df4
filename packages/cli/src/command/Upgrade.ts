import { Command } from "commander"
import { databaseAction } from "../db/DatabaseAction.ts"
import { formatUpgrade, upgradeJson } from "../db/FormatUpgrade.ts"
import { exitCodes } from "../ExitCode.ts"
import { CommandFailed } from "../Failure.ts"
import { databaseHelp } from "../Secret.ts"
import type { Terminal } from "../Terminal.ts"

interface UpgradeOptions {
  readonly check?: boolean
}

/**
 * `leadloom upgrade`: shows what this version would change in the database, and changes it. With `--check`, it changes
 * nothing, and the exit code is 1 if the database needs an upgrade.
 */
export const upgradeCommand = (terminal: Terminal): Command =>
  new Command("upgrade")
    .description("upgrade the database to this version")
    .option("--check", "show what the upgrade would do; exit code 1 if the database needs an upgrade")
    .option("--database <url>", `${databaseHelp} (LEADLOOM_DATABASE_URL)`)
    .action(
      databaseAction<UpgradeOptions>(terminal, async ({ admin, options, show, url }) => {
        const status = await admin.status(url())
        const isCheck = options.check === true
        if (!isCheck && status.unknown.length === 0) await admin.migrate(url())
        show(upgradeJson(status, isCheck), () => formatUpgrade(status, isCheck))
        if (status.unknown.length > 0) {
          const newer = "A newer version has changed this database. Install that version, or restore a backup."
          throw new CommandFailed(exitCodes.failed, "DATABASE_TOO_NEW", newer)
        }
        if (isCheck && status.missing.length > 0) {
          const next =
            status.stopFirst.length > 0
              ? "Back up the database, stop all servers, and run `leadloom upgrade`."
              : "Back up the database, and run `leadloom upgrade` or restart the servers one by one."
          throw new CommandFailed(exitCodes.failed, "UPGRADE_NEEDED", next)
        }
      })
    )
