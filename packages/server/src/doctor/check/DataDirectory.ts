import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { secretFile } from "../../startup/DataDir.ts"
import { systemCode } from "../../startup/StartupFailed.ts"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import type { DoctorContext } from "../DoctorContext.ts"

/** What an access comes to: null, or why not. */
const refusal = (access: () => void): string | null => {
  try {
    access()
    return null
  } catch (cause) {
    return systemCode(cause) || String(cause)
  }
}

const restore =
  "Restore it from a backup, or set LEADLOOM_SECRET_KEY to the key that was in use: credentials are hashed under it."

/** Without the old secret every key that was handed out stops working. */
const missingSecret = (file: string, { database }: DoctorContext): Finding =>
  database?.kind === "seen" && database.examination.hasTenants
    ? problem(`The secret ${file} is missing, and the database was in use with one.`, restore)
    : healthy(`The secret ${file} is not there yet; the first start makes it.`)

const secretFindings = (file: string, context: DoctorContext): Finding => {
  if (!existsSync(file)) return missingSecret(file, context)
  const reason = refusal(() => void readFileSync(file, "utf8"))
  if (reason !== null)
    return problem(`The secret ${file} cannot be read (${reason}).`, "Change its owner, or set LEADLOOM_SECRET_KEY.")
  if (readFileSync(file, "utf8").trim().length < 16) return problem(`The secret ${file} holds no secret.`, restore)
  const mode = statSync(file).mode & 0o777
  return (mode & 0o077) === 0
    ? healthy(`The secret ${file} is its owner's alone.`)
    : warning(`Others may read the secret ${file} (mode ${mode.toString(8)}).`, `Run: chmod 600 ${file}`)
}

const directory = (dataDir: string): Finding => {
  if (!existsSync(dataDir)) return healthy(`The data directory ${dataDir} is not there yet; the first start makes it.`)
  const reason = statSync(dataDir).isDirectory()
    ? refusal(() => accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK))
    : "ENOTDIR"
  return reason === null
    ? healthy(`The data directory ${dataDir} can be written.`)
    : problem(
        `The data directory ${dataDir} cannot be written (${reason}).`,
        "Change its owner, or set LEADLOOM_DATA_DIR."
      )
}

/** The data directory can be worked in, and keeps its secret. */
export const dataDirectory: Check = {
  name: "data directory",
  run: (context) =>
    Effect.sync(() => {
      const { config } = context
      if (config === null) return []
      const first = directory(config.dataDir)
      if (first.level === "problem") return [first]
      return config.secretKey === null ? [first, secretFindings(join(config.dataDir, secretFile), context)] : [first]
    })
}
