import { Command } from "commander"
import { exitCodes } from "../../ExitCode.ts"
import { CommandFailed } from "../../Failure.ts"
import { show } from "../../Output.ts"
import type { Terminal } from "../../Terminal.ts"
import { readConfigFile } from "./ConfigFile.ts"

/**
 * Checks a configuration with the checks of this version's server.
 * @throws CommandFailed with every invalid field
 */
export const rejectInvalid = async (config: unknown): Promise<void> => {
  // A dynamic import, so that other commands start without loading the configuration.
  const { checkTenantConfig } = await import("@leadloom/server/internal/admin/CheckTenantConfig")
  const issues = await checkTenantConfig(config)
  if (issues.length > 0)
    throw new CommandFailed(exitCodes.failed, "CONFIGURATION_INVALID", "The configuration is invalid.", issues)
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

const validate = async (terminal: Terminal, file: string, json: boolean): Promise<void> => {
  const { config } = await readConfigFile(terminal, file)
  await rejectInvalid(config)
  const { guardrails = [], rules } = config
  show(
    terminal,
    json,
    { valid: true },
    () => `The configuration is valid: ${count(rules.length, "rule")}, ${count(guardrails.length, "guardrail")}.\n`
  )
}

/** `leadloom config validate`: checks a tenant's configuration. Needs no server and changes nothing. */
export const validateCommand = (terminal: Terminal): Command =>
  new Command("validate")
    .description("check a tenant's configuration without saving it; needs no server")
    .argument("[file]", "configuration file; - or nothing is standard input")
    .action((file: string | undefined, _, command: Command) =>
      validate(terminal, file ?? "-", command.optsWithGlobals<{ readonly json?: boolean }>().json === true)
    )
