import { createClient, createSenders, type Leadloom, type Senders } from "@leadloom/client"
import { CommandFailed, usageFailure } from "./Failure.ts"
import { exitCodes } from "./ExitCode.ts"
import { type Profile, readProfile } from "./Profile.ts"
import { secretOf } from "./Secret.ts"
import type { Terminal } from "./Terminal.ts"

/** Options that every command accepts. */
export interface GlobalOptions {
  readonly json?: boolean
  readonly url?: string
  readonly adminKey?: string
  readonly adminKeyFile?: string
  readonly apiKey?: string
  readonly apiKeyFile?: string
  readonly actingUser?: string
  readonly profile?: string
}

/** The server URL if `--url`, `LEADLOOM_URL` and the profile name none. */
export const defaultUrl = "http://127.0.0.1:4800"

/** The address of a server and the credentials for it. */
export interface Connection {
  readonly url: string
  readonly adminKey: string | undefined
  readonly apiKey: string | undefined
  /** The user for whom the API key or the admin key sends requests of agents. */
  readonly actingUser: string | undefined
  /** The tenant of commands without `--tenant`. */
  readonly tenant: string | undefined
}

/**
 * Returns the first key of `LEADLOOM_ADMIN_KEY`. During a key rotation, the variable lists the new key before the old
 * one.
 */
export const firstKey = (variable: string | undefined): string => variable?.split(",")[0]?.trim() ?? ""

const fromEnvironment = ({ env }: Terminal): Profile => {
  const adminKey = firstKey(env["LEADLOOM_ADMIN_KEY"])
  return {
    ...(env["LEADLOOM_URL"] ? { url: env["LEADLOOM_URL"] } : {}),
    ...(adminKey === "" ? {} : { adminKey }),
    ...(env["LEADLOOM_API_KEY"] ? { apiKey: env["LEADLOOM_API_KEY"] } : {}),
    ...(env["LEADLOOM_ACTING_USER"] ? { actingUser: env["LEADLOOM_ACTING_USER"] } : {}),
    ...(env["LEADLOOM_TENANT"] ? { tenant: env["LEADLOOM_TENANT"] } : {})
  }
}

/**
 * Determines the server and the keys. Options have the highest precedence. `--profile` selects a named profile, which
 * then supplies all missing values. Without `--profile`, missing values come from the environment, and then from the
 * profile `default`. A named profile ignores the environment, so that a key in the environment is not sent to the
 * profile's server.
 */
export const resolveConnection = async (terminal: Terminal, options: GlobalOptions): Promise<Connection> => {
  const profile = await readProfile(terminal, options.profile)
  const stored = options.profile === undefined ? { ...profile, ...fromEnvironment(terminal) } : profile
  const url = options.url ?? stored.url ?? defaultUrl
  if (!/^https?:\/\//u.test(url) || !URL.canParse(url)) {
    throw usageFailure(`${url} is not a server URL. Use a URL such as ${defaultUrl}.`)
  }
  const adminKey = await secretOf(terminal, options.adminKey, options.adminKeyFile)
  const apiKey = await secretOf(terminal, options.apiKey, options.apiKeyFile)
  const { tenant } = stored
  const actingUser = options.actingUser ?? stored.actingUser
  return { url, adminKey: adminKey ?? stored.adminKey, apiKey: apiKey ?? stored.apiKey, actingUser, tenant }
}

const missingKey = (which: string): CommandFailed =>
  new CommandFailed(exitCodes.notAuthorised, "NO_KEY", `The command needs a key. ${which}`)

const adminKeyOf = ({ adminKey }: Connection): string => {
  if (adminKey === undefined) throw missingKey("Set LEADLOOM_ADMIN_KEY or pass --admin-key-file.")
  return adminKey
}

/** Returns the API key of a tenant, or the admin key when no API key is configured. Fails when neither is. */
export const tenantCredential = ({ adminKey, apiKey }: Connection): string => {
  const credential = apiKey ?? adminKey
  if (credential !== undefined) return credential
  throw missingKey("Set LEADLOOM_API_KEY or pass --api-key-file. The admin key works too.")
}

/** Creates a client with the admin key. Fails when no admin key is configured. */
export const adminClient = (connection: Connection): Leadloom =>
  createClient({ baseUrl: connection.url, credential: adminKeyOf(connection) })

/** Creates a client with the API key of a tenant, or with the admin key when no API key is configured. */
export const tenantClient = (connection: Connection): Leadloom =>
  createClient({
    baseUrl: connection.url,
    credential: tenantCredential(connection),
    actingUser: connection.actingUser
  })

/** The credential of a command, and whether its requests name the acting user. */
export type CommandCredential = "none" | "tenant" | "integration" | "operator"

/**
 * Creates the functions that send requests. `operator` prefers the admin key. `tenant` and `integration` prefer the API
 * key. All accept the other key, because an ID token in `LEADLOOM_API_KEY` may have more rights than an API key. Only
 * `tenant` names the acting user.
 */
export const sendersFor = (connection: Connection, credential: CommandCredential): Senders => {
  const { adminKey, apiKey, url } = connection
  if (credential === "none") return createSenders({ baseUrl: url })
  const key = credential === "operator" ? (adminKey ?? apiKey ?? adminKeyOf(connection)) : tenantCredential(connection)
  const actingUser = credential === "tenant" ? connection.actingUser : undefined
  return createSenders({ baseUrl: url, credential: key, actingUser })
}
