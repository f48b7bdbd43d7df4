import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { usageFailure } from "./Failure.ts"
import type { Terminal } from "./Terminal.ts"

/** A named server with its keys, and the tenant of commands without `--tenant`. */
export interface Profile {
  readonly url?: string
  readonly adminKey?: string
  readonly apiKey?: string
  readonly actingUser?: string
  readonly tenant?: string
}

/**
 * Returns the path of the file with the profiles: `$XDG_CONFIG_HOME/leadloom/profiles.json`. If `XDG_CONFIG_HOME` is
 * unset, `~/.config` is used.
 */
export const profilesFile = ({ env, home }: Pick<Terminal, "env" | "home">): string =>
  join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "leadloom", "profiles.json")

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const readProfiles = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  const text = await readFile(file, "utf8").catch(() => null)
  if (text === null) return {}
  try {
    const profiles: unknown = JSON.parse(text)
    if (isRecord(profiles)) return profiles
  } catch {
    // A file with invalid JSON and a file with JSON of another shape have the same message, because the user must
    // correct the file in both cases.
  }
  throw usageFailure(`${file} is not a JSON object of profiles: {"name": {"url": …, "admin_key": …, "api_key": …}}.`)
}

const fieldOf = (profile: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = profile[name]
  return typeof value === "string" && value !== "" ? value : undefined
}

/**
 * Reads the named profile. Without a name, reads the profile `default`, which may be absent.
 * @throws CommandFailed when the named profile is missing or the file is not a JSON object of profiles
 */
export const readProfile = async (terminal: Terminal, name: string | undefined): Promise<Profile> => {
  const file = profilesFile(terminal)
  const profiles = await readProfiles(file)
  const found = profiles[name ?? "default"]
  if (found === undefined && name === undefined) return {}
  if (!isRecord(found)) {
    const names = Object.keys(profiles)
    throw usageFailure(
      `No profile ${name} in ${file}${names.length === 0 ? "" : `. Available profiles: ${names.join(", ")}`}.`
    )
  }
  const url = fieldOf(found, "url")
  const adminKey = fieldOf(found, "admin_key")
  const apiKey = fieldOf(found, "api_key")
  const actingUser = fieldOf(found, "acting_user")
  const tenant = fieldOf(found, "tenant")
  return {
    ...(url === undefined ? {} : { url }),
    ...(adminKey === undefined ? {} : { adminKey }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(actingUser === undefined ? {} : { actingUser }),
    ...(tenant === undefined ? {} : { tenant })
  }
}
