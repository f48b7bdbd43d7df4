import { resolve } from "node:path"
import { databaseName, readDatabaseUrl } from "@leadloom/store/internal/DatabaseUrl"
import { readConfig, type ServerConfig } from "./Config.ts"
import type { Environment } from "./Variables.ts"

/** A valid setting that is probably unintended. */
export interface ConfigWarning {
  readonly found: string
  readonly advice: string
}

/** The result of a check of the environment. */
export interface EnvironmentCheck {
  /** One line for each mistake. A server does not start if there is one. */
  readonly mistakes: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<ConfigWarning>
  /** The places that the server would use; null if the environment is invalid. Contains no secrets. */
  readonly places: {
    readonly dataDir: string
    readonly database: string
    readonly objects: string
    readonly address: string
  } | null
}

const generate = "Set it, e.g. to the output of: openssl rand -hex 32"

/** Returns the unset variables that almost every deployment needs. */
export const configWarnings = ({ adminKeys, sessionSecrets }: ServerConfig): ReadonlyArray<ConfigWarning> => [
  ...(adminKeys.length === 0
    ? [{ found: "LEADLOOM_ADMIN_KEY is not set: no tenant can be created.", advice: generate }]
    : []),
  ...(sessionSecrets.length === 0
    ? [{ found: "LEADLOOM_SESSION_SECRET is not set: sessions are disabled.", advice: generate }]
    : [])
]

const placesOf = ({ dataDir, databaseUrl, host, objects, port }: ServerConfig): EnvironmentCheck["places"] => {
  const database = readDatabaseUrl(databaseUrl)
  return {
    dataDir: resolve(dataDir),
    database: database === null ? "" : databaseName(database),
    objects: objects.kind === "disk" ? resolve(objects.directory) : `${objects.endpoint}/${objects.bucket}`,
    address: `${host.includes(":") ? `[${host}]` : host}:${port}`
  }
}

/** Checks the environment of a server. Opens no file and no connection. */
export const checkEnvironment = (env: Environment): EnvironmentCheck => {
  const config = readConfig(env)
  return "mistakes" in config
    ? { mistakes: config.mistakes, warnings: [], places: null }
    : { mistakes: [], warnings: configWarnings(config), places: placesOf(config) }
}
