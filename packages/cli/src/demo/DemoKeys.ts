import { randomBytes } from "node:crypto"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { firstKey } from "../Connection.ts"
import type { Terminal } from "../Terminal.ts"

/**
 * The keys of a demo. They are stored as plain text, so that a later start can print them. A real deployment does not
 * store keys in this way.
 */
export interface DemoKeys {
  readonly adminKey: string
  readonly sessionSecret: string
  /** Null until the demo has created a key for its tenant. */
  readonly apiKey: string | null
  /** The keys of the event sources, by source id. */
  readonly sourceKeys: Readonly<Record<string, string>>
  /** Whether the sample messages have been sent. */
  readonly fed: boolean
}

/** Returns the path of the file with the demo keys. */
export const keysFileOf = (dataDir: string): string => join(dataDir, "demo-keys.json")

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const textIn = (record: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = record[name]
  return typeof value === "string" && value !== "" ? value : null
}

const readStored = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** Writes the keys atomically, readable by their owner only. */
export const writeKeys = async (dataDir: string, keys: DemoKeys): Promise<void> => {
  const file = keysFileOf(dataDir)
  const json = {
    about: "Keys of the Leadloom demo. Delete the data directory to start again.",
    admin_key: keys.adminKey,
    session_secret: keys.sessionSecret,
    api_key: keys.apiKey,
    source_keys: keys.sourceKeys,
    fed: keys.fed
  }
  await writeFile(`${file}.new`, `${JSON.stringify(json, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/**
 * Reads the keys from the environment and from the file of an earlier start. The environment takes precedence. Creates
 * and stores missing keys.
 */
export const openKeys = async (dataDir: string, env: Terminal["env"]): Promise<DemoKeys> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const stored = await readStored(keysFileOf(dataDir))
  const newSecret = (): string => randomBytes(24).toString("base64url")
  const { source_keys: sources } = stored
  const keys: DemoKeys = {
    adminKey: firstKey(env["LEADLOOM_ADMIN_KEY"]) || textIn(stored, "admin_key") || newSecret(),
    sessionSecret: env["LEADLOOM_SESSION_SECRET"]?.trim() || textIn(stored, "session_secret") || newSecret(),
    apiKey: textIn(stored, "api_key"),
    sourceKeys: isRecord(sources)
      ? Object.fromEntries(
          Object.entries(sources).filter((entry): entry is [string, string] => typeof entry[1] === "string")
        )
      : {},
    fed: stored["fed"] === true
  }
  await writeKeys(dataDir, keys)
  return keys
}
