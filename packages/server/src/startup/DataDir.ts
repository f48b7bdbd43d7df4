import { randomBytes } from "node:crypto"
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { StartupFailed, systemCode } from "./StartupFailed.ts"

/** The file that holds the deployment's secret key when the environment does not. */
export const secretFile = "secret.key"

const readSecret = (file: string): string => {
  const secret = readFileSync(file, "utf8").trim()
  if (secret.length < 16) throw new Error("it holds no secret")
  return secret
}

/** The secret of the file, made on the first start: readable by its owner only, never written over. */
const readOrCreateSecret = (file: string): string => {
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

/** Makes sure that there is a folder to write to, its owner's alone; `variable` is where another one can be named. */
export const ensureFolder = (what: string, variable: string, folder: string): Effect.Effect<void, StartupFailed> =>
  Effect.try({
    try: () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    catch: (cause) =>
      new StartupFailed({
        line: `The ${what} ${folder} cannot be written (${reasonOf(cause)}). Change its owner or set ${variable}.`
      })
  })

/** Makes sure that there is a data directory to write to. */
export const ensureDataDir = (dataDir: string): Effect.Effect<void, StartupFailed> =>
  ensureFolder("data directory", "LEADLOOM_DATA_DIR", dataDir)

/** The file that says under which secret key the data directory has served a database. */
export const markerFile = "database.initialised"

const markerProblem = (file: string) => (cause: unknown) =>
  new StartupFailed({ line: `The file ${file} cannot be used: ${reasonOf(cause)}. Change its owner.` })

/** What the marker of a data directory says; null: it has served no database. */
export const readMarker = (dataDir: string): Effect.Effect<string | null, StartupFailed> => {
  const file = join(dataDir, markerFile)
  return Effect.try({
    try: () => (existsSync(file) ? readFileSync(file, "utf8").trim() : null),
    catch: markerProblem(file)
  })
}

/** Writes the marker of a data directory. */
export const writeMarker = (dataDir: string, says: string): Effect.Effect<void, StartupFailed> => {
  const file = join(dataDir, markerFile)
  return Effect.try({
    try: () => writeFileSync(file, `${says}\n`, { mode: 0o600 }),
    catch: markerProblem(file)
  })
}

const secretBy = (read: (file: string) => string, dataDir: string): Effect.Effect<string, StartupFailed> => {
  const file = join(dataDir, secretFile)
  return Effect.try({
    try: () => read(file),
    catch: (cause) =>
      new StartupFailed({
        line: `The secret key ${file} cannot be used: ${reasonOf(cause)}. Restore it or set LEADLOOM_SECRET_KEY.`
      })
  })
}

/** The secret key of this deployment, from the data directory. */
export const secretOfDataDir = (dataDir: string): Effect.Effect<string, StartupFailed> =>
  secretBy(readOrCreateSecret, dataDir)

/** The same where there has to be one: nothing is made. */
export const existingSecretOfDataDir = (dataDir: string): Effect.Effect<string, StartupFailed> =>
  secretBy(readSecret, dataDir)
