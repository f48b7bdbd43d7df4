import { Command } from "commander"
import { action } from "../../Action.ts"
import { adminClient } from "../../Connection.ts"
import type { Terminal } from "../../Terminal.ts"
import { configCheckCommand } from "./ConfigCheck.ts"
import { diffCommand } from "./ConfigDiff.ts"
import { editCommand } from "./ConfigEdit.ts"
import { auditCommand, presetsCommand, scaffoldCommand } from "./ConfigHistory.ts"
import { putCommand } from "./ConfigPut.ts"
import { validateCommand } from "./ConfigValidate.ts"

interface GetOptions {
  readonly tenant: string
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

/** `leadloom config`: the configuration of a tenant, and the check of the server's environment. */
export const configCommand = (terminal: Terminal): Command =>
  new Command("config")
    .description("read, edit and replace configurations, show their history, and check the server's environment")
    .addCommand(get(terminal))
    .addCommand(editCommand(terminal))
    .addCommand(diffCommand(terminal))
    .addCommand(validateCommand(terminal))
    .addCommand(putCommand(terminal))
    .addCommand(presetsCommand(terminal))
    .addCommand(scaffoldCommand(terminal))
    .addCommand(auditCommand(terminal))
    .addCommand(configCheckCommand(terminal))
