import { createClient, type Leadloom } from "@leadloom/client"
import { CommandFailed, usageFailure } from "./Failure.ts"
import { exitCodes } from "./ExitCode.ts"
import { type Profile, readProfile } from "./Profile.ts"
import type { Terminal } from "./Terminal.ts"

/** Options that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean
  readonly url?: string
  readonly adminKey?: string
  readonly apiKey?: string
  readonly profile?: string
}

/** Where the server listens when nobody says otherwise. */
export const defaultUrl = "http://127.0.0.1:4800"

/** A server and what we may show it. */
export interface Connection {
  readonly url: string
  readonly adminKey: string | undefined
  readonly apiKey: string | undefined
}

/** The key to show of `LEADLOOM_ADMIN_KEY`, which names the new one and then the old one to a server. */
export const firstKey = (variable: string | undefined): string => variable?.split(",")[0]?.trim() ?? ""

const fromEnvironment = ({ env }: Terminal): Profile => {
  const adminKey = firstKey(env["LEADLOOM_ADMIN_KEY"])
  return {
    ...(env["LEADLOOM_URL"] ? { url: env["LEADLOOM_URL"] } : {}),
    ...(adminKey === "" ? {} : { adminKey }),
    ...(env["LEADLOOM_API_KEY"] ? { apiKey: env["LEADLOOM_API_KEY"] } : {})
  }
}

/**
 * Decides on the server and the keys: options, then the named profile, or without one the environment, then the profile
 * `default`. A named profile stands alone: a key from the environment must not go to another server by accident.
 */
export const resolveConnection = async (terminal: Terminal, options: GlobalOptions): Promise<Connection> => {
  const profile = await readProfile(terminal, options.profile)
  const stored = options.profile === undefined ? { ...profile, ...fromEnvironment(terminal) } : profile
  const url = options.url ?? stored.url ?? defaultUrl
  if (!/^https?:\/\//u.test(url) || !URL.canParse(url)) {
    throw usageFailure(`${url} is not a URL of a server, such as ${defaultUrl}.`)
  }
  return { url, adminKey: options.adminKey ?? stored.adminKey, apiKey: options.apiKey ?? stored.apiKey }
}

const missingKey = (which: string): CommandFailed =>
  new CommandFailed(exitCodes.notAuthorised, "NO_KEY", `No key to show the server. ${which}`)

/** A client that may operate and configure. */
export const adminClient = ({ url, adminKey }: Connection): Leadloom => {
  if (adminKey === undefined) throw missingKey("Give the admin key in LEADLOOM_ADMIN_KEY or with --admin-key.")
  return createClient({ baseUrl: url, credential: adminKey })
}

/** A client for what a tenant's own key is enough for; the admin key does as well. */
export const tenantClient = ({ url, adminKey, apiKey }: Connection): Leadloom => {
  const credential = apiKey ?? adminKey
  if (credential === undefined) {
    throw missingKey("Give an API key in LEADLOOM_API_KEY or with --api-key, or the admin key.")
  }
  return createClient({ baseUrl: url, credential })
}
