import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { secretFile } from "../../startup/DataDir.ts"
import { systemCode } from "../../startup/StartupFailed.ts"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import type { DoctorContext } from "../DoctorContext.ts"

/** Returns the error code of a failed access, or null if the access succeeds. */
const refusal = (access: () => void): string | null => {
  try {
    access()
    return null
  } catch (cause) {
    return systemCode(cause) || String(cause)
  }
}

const restore =
  "Restore it from a backup, or set LEADLOOM_SECRET_KEY to the previous key. API keys and other credentials are hashed with this key."

/**
 * Returns the finding for a missing secret key file. If the database already has tenants, all issued credentials are
 * invalid without the previous key.
 */
const missingSecret = (file: string, { database }: DoctorContext): Finding =>
  database?.kind === "seen" && database.examination.hasTenants
    ? problem(`The secret key file ${file} is missing, but the database already contains tenants.`, restore)
    : healthy(`The secret key file ${file} does not exist yet; the first start creates it.`)

const secretFindings = (file: string, context: DoctorContext): Finding => {
  if (!existsSync(file)) return missingSecret(file, context)
  const reason = refusal(() => void readFileSync(file, "utf8"))
  if (reason !== null)
    return problem(
      `The secret key file ${file} is not readable (${reason}).`,
      "Change its owner, or set LEADLOOM_SECRET_KEY."
    )
  if (readFileSync(file, "utf8").trim().length < 16)
    return problem(`The secret key file ${file} is empty or too short.`, restore)
  const mode = statSync(file).mode & 0o777
  return (mode & 0o077) === 0
    ? healthy(`Only its owner can read the secret key file ${file}.`)
    : warning(`Other users can read the secret key file ${file} (mode ${mode.toString(8)}).`, `Run: chmod 600 ${file}`)
}

const directory = (dataDir: string): Finding => {
  if (!existsSync(dataDir))
    return healthy(`The data directory ${dataDir} does not exist yet; the first start creates it.`)
  const reason = statSync(dataDir).isDirectory()
    ? refusal(() => accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK))
    : "ENOTDIR"
  return reason === null
    ? healthy(`The data directory ${dataDir} is writable.`)
    : problem(
        `The data directory ${dataDir} is not writable (${reason}).`,
        "Change its owner, or set LEADLOOM_DATA_DIR."
      )
}

/** Checks access to the data directory and the protection of its secret key file. */
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
