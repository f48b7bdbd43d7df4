import type { TenantConfig } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { readJson, within } from "../ReadJson.ts"
import type { Terminal } from "../Terminal.ts"
import { wholeNumber } from "../WholeNumber.ts"
import { configCheckCommand } from "./ConfigCheck.ts"
import { auditCommand, presetsCommand, scaffoldCommand } from "./ConfigHistory.ts"

interface GetOptions {
  readonly tenant: string
}

interface PutOptions extends GetOptions {
  readonly file?: string
  readonly ifVersion?: number
}

const get = (terminal: Terminal): Command =>
  new Command("get")
    .description("print the configuration in the form that `config put` accepts")
    .requiredOption("--tenant <id>", "the tenant")
    .action(
      action<GetOptions>(terminal, async ({ options, connection, show }) => {
        const stored = await adminClient(connection).config.get(options.tenant)
        show(stored, () => `${JSON.stringify(stored.config, null, 2)}\n`)
      })
    )

const put = (terminal: Terminal): Command =>
  new Command("put")
    .description("replace the configuration after validation")
    .requiredOption("--tenant <id>", "the tenant")
    .option("--file <path>", "configuration file; - is standard input", "-")
    .option(
      "--if-version <number>",
      "replace only this version (default: any version)",
      wholeNumber(1, Number.MAX_SAFE_INTEGER)
    )
    .action(
      action<PutOptions>(terminal, async ({ options, connection, show }) => {
        const { tenant, file = "-", ifVersion } = options
        // Accepts a plain configuration, or the output of `config get --json`. The server validates the content.
        const config = within(await readJson(terminal, file), "config") as TenantConfig
        const stored = await adminClient(connection).config.replace(tenant, config, { ifMatch: ifVersion })
        const { length } = stored.config.rules
        show(stored, () => `Saved version ${stored.version} with ${length} rule${length === 1 ? "" : "s"}.\n`)
      })
    )

/** `leadloom config`: the configuration of a tenant, and the check of the server's environment. */
export const configCommand = (terminal: Terminal): Command =>
  new Command("config")
    .description("read, replace and scaffold configurations, show their history, and check the server's environment")
    .addCommand(get(terminal))
    .addCommand(put(terminal))
    .addCommand(presetsCommand(terminal))
    .addCommand(scaffoldCommand(terminal))
    .addCommand(auditCommand(terminal))
    .addCommand(configCheckCommand(terminal))
