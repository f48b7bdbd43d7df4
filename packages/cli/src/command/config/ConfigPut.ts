import type { Leadloom, StoredConfig } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../../Action.ts"
import { adminClient } from "../../Connection.ts"
import type { Terminal } from "../../Terminal.ts"
import { wholeNumber } from "../../WholeNumber.ts"
import { readConfigFile, type WrittenConfig } from "./ConfigFile.ts"

interface PutOptions {
  readonly tenant: string
  readonly file?: string
  readonly ifVersion?: number
}

/** The stored configuration after a command, and whether the command has changed it. */
export interface SavedConfig extends StoredConfig {
  readonly changed: boolean
}

/**
 * Replaces the configuration that `base` contains. Saves nothing if the configuration is the same. Fails with
 * `PRECONDITION_FAILED` if the server has another version than the text is based on.
 */
export const saveWritten = async (
  client: Leadloom,
  base: StoredConfig,
  written: WrittenConfig
): Promise<SavedConfig> => {
  // A dynamic import, so that other commands start without loading the configuration.
  const { compareTenantConfigs } = await import("@leadloom/server/internal/admin/CheckTenantConfig")
  // Null stands for an invalid configuration, which the server rejects with all issues.
  if (compareTenantConfigs(base.config, written.config)?.length === 0) return { ...base, changed: false }
  const ifMatch = written.version ?? base.version
  return { ...(await client.config.replace(base.tenant_id, written.config, { ifMatch })), changed: true }
}

/** Describes the result of a command that saves a configuration. */
export const formatSaved = ({ changed, config, version }: SavedConfig): string => {
  const { length } = config.rules
  return changed
    ? `Saved version ${version} with ${length} rule${length === 1 ? "" : "s"}.\n`
    : `The configuration is unchanged. Version ${version} stays.\n`
}

/** `leadloom config put`: replaces the configuration with a file. */
export const putCommand = (terminal: Terminal): Command =>
  new Command("put")
    .description("replace the configuration after validation; an unchanged configuration is not saved again")
    .argument("[file]", "configuration file, also as @file; - or nothing is standard input")
    .requiredOption("--tenant <id>", "the tenant")
    .option("--file <path>", "configuration file, as the argument")
    .option(
      "--if-version <number>",
      "replace only this version (default: the version in the output of `config get --json`)",
      wholeNumber(1, Number.MAX_SAFE_INTEGER)
    )
    .action(
      action<PutOptions>(terminal, async ({ options, connection, show }, file = options.file ?? "-") => {
        const written = await readConfigFile(terminal, file)
        const client = adminClient(connection)
        const base = await client.config.get(options.tenant)
        const saved = await saveWritten(client, base, { ...written, version: options.ifVersion ?? written.version })
        show(saved, () => formatSaved(saved))
      })
    )
