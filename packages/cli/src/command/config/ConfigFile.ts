import type { TenantConfig } from "@leadloom/client"
import { readJson, within } from "../../ReadJson.ts"
import type { Terminal } from "../../Terminal.ts"

/** A configuration that a user wrote. */
export interface WrittenConfig {
  /** The server validates the content. */
  readonly config: TenantConfig
  /** The version on which the text is based. Null for a plain configuration, which contains no version. */
  readonly version: number | null
}

/** Interprets JSON as a plain configuration or as the output of `config get --json`, which contains the version. */
export const writtenConfig = (json: unknown): WrittenConfig => {
  const version = within(json, "version")
  return { config: within(json, "config") as TenantConfig, version: typeof version === "number" ? version : null }
}

/** Reads a configuration from `<path>`, `@<path>`, or standard input for `-`. */
export const readConfigFile = async (terminal: Terminal, file: string): Promise<WrittenConfig> =>
  writtenConfig(await readJson(terminal, file.replace(/^@/u, "")))
