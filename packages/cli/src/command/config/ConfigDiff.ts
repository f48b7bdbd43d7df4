import { Command } from "commander"
import { action } from "../../Action.ts"
import { adminClient } from "../../Connection.ts"
import { exitCodes } from "../../ExitCode.ts"
import { CommandFailed } from "../../Failure.ts"
import type { Terminal } from "../../Terminal.ts"
import { readConfigFile } from "./ConfigFile.ts"
import { rejectInvalid } from "./ConfigValidate.ts"
import { formatDifferences } from "./FormatDifferences.ts"

interface DiffOptions {
  readonly tenant: string
  readonly exitCode?: boolean
}

/** `leadloom config diff`: compares a file with the stored configuration. Changes nothing. */
export const diffCommand = (terminal: Terminal): Command =>
  new Command("diff")
    .description("show what a file would change in the stored configuration")
    .argument("[file]", "configuration file; - or nothing is standard input")
    .requiredOption("--tenant <id>", "the tenant")
    .option("--exit-code", "exit with 1 if the configurations differ")
    .action(
      action<DiffOptions>(terminal, async ({ connection, options, show }, file = "-") => {
        const { config } = await readConfigFile(terminal, file)
        await rejectInvalid(config)
        const stored = await adminClient(connection).config.get(options.tenant)
        // A dynamic import, so that other commands start without loading the configuration.
        const { compareTenantConfigs } = await import("@leadloom/server/internal/admin/CheckTenantConfig")
        const changes = compareTenantConfigs(stored.config, config)
        if (changes === null) {
          const message = "The stored configuration has fields that this version does not know. Update leadloom."
          throw new CommandFailed(exitCodes.failed, "CONFIGURATION_UNKNOWN", message)
        }
        show({ version: stored.version, changes }, () =>
          changes.length === 0
            ? `The file is identical to version ${stored.version}.\n`
            : formatDifferences(terminal, changes)
        )
        if (options.exitCode === true && changes.length > 0)
          throw new CommandFailed(exitCodes.failed, "CONFIGURATION_DIFFERS", "")
      })
    )
