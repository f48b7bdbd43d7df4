/**
 * Checks and services at startup: data directory, secret keys, log, clock and object storage. Environment variables
 * belong in `config`. Tests: `packages/server/test/startup` and `packages/server/test/http/EmptiedDatabase.test.ts`.
 */

import { randomBytes } from "node:crypto"
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { StartupFailed, systemCode } from "./StartupFailed.ts"

/** The name of the file with the secret key. It is used if the environment sets no key. */
export const secretFile = "secret.key"

const readSecret = (file: string): string => {
  const secret = readFileSync(file, "utf8").trim()
  if (secret.length < 16) throw new Error("the file is empty or too short")
  return secret
}

/** The name of the file that records which database the data directory has served. */
const markerFile = "database.initialised"

/** The content of the marker file from the generation of the secret key until a database has been served. */
export const unusedKey = "new secret key"

/** Writes a new file. Leaves an existing file unchanged. */
const writeOnce = (file: string, text: string): void => {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" })
  } catch (cause) {
    if (systemCode(cause) !== "EEXIST") throw cause
  }
}

/**
 * Reads the file with the secret key, or creates it on the first start. Only the owner can read the file. An existing
 * file is never overwritten. The marker file is written before a new key, so that a key without a marker file always
 * comes from an earlier deployment.
 */
const readOrCreateSecret = (file: string): string => {
  if (!existsSync(file)) writeOnce(join(dirname(file), markerFile), `${unusedKey}\n`)
  try {
    const secret = randomBytes(32).toString("hex")
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: "wx" })
    return secret
  } catch (cause) {
    if (systemCode(cause) === "EEXIST") return readSecret(file)
    throw cause
  }
}

const reasonOf = (cause: unknown): string =>
  systemCode(cause) || (cause instanceof Error ? cause.message : String(cause))

/**
 * Creates a folder that only its owner can open, if it is missing, and checks that it is writable. The error names
 * `variable`.
 */
export const ensureFolder = (what: string, variable: string, folder: string): Effect.Effect<void, StartupFailed> =>
  Effect.try({
    try: () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    catch: (cause) =>
      new StartupFailed({
        line: `The ${what} ${folder} is not writable (${reasonOf(cause)}). Change its owner or set ${variable}.`
      })
  })

/** Creates the data directory if it is missing, and checks that it is writable. */
export const ensureDataDir = (dataDir: string): Effect.Effect<void, StartupFailed> =>
  ensureFolder("data directory", "LEADLOOM_DATA_DIR", dataDir)

const markerProblem = (file: string) => (cause: unknown) =>
  new StartupFailed({ line: `The file ${file} is not accessible: ${reasonOf(cause)}. Change its owner.` })

/**
 * Returns the content of the marker file: the fingerprint of the secret key, or `unusedKey`. Returns null if the file is
 * missing.
 */
export const readMarker = (dataDir: string): Effect.Effect<string | null, StartupFailed> => {
  const file = join(dataDir, markerFile)
  return Effect.try({
    try: () => (existsSync(file) ? readFileSync(file, "utf8").trim() : null),
    catch: markerProblem(file)
  })
}

/** Writes the marker file of a data directory. */
export const writeMarker = (dataDir: string, says: string): Effect.Effect<void, StartupFailed> => {
  const file = join(dataDir, markerFile)
  return Effect.try({
    try: () => writeFileSync(file, `${says}\n`, { mode: 0o600 }),
    catch: markerProblem(file)
  })
}

/** Returns whether the data directory contains a secret key. */
export const hasSecretFile = (dataDir: string): boolean => existsSync(join(dataDir, secretFile))

const secretBy = (read: (file: string) => string, dataDir: string): Effect.Effect<string, StartupFailed> => {
  const file = join(dataDir, secretFile)
  return Effect.try({
    try: () => read(file),
    catch: (cause) =>
      new StartupFailed({
        line: `The secret key file ${file} is not usable: ${reasonOf(cause)}. Restore it or set LEADLOOM_SECRET_KEY.`
      })
  })
}

/** Returns the secret key from the data directory, and creates it if it is missing. */
export const secretOfDataDir = (dataDir: string): Effect.Effect<string, StartupFailed> =>
  secretBy(readOrCreateSecret, dataDir)

/** Returns the secret key from the data directory. Fails if it is missing. */
export const existingSecretOfDataDir = (dataDir: string): Effect.Effect<string, StartupFailed> =>
  secretBy(readSecret, dataDir)
