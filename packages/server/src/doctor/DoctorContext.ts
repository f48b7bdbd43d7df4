import { type Examination, examineDatabase } from "@leadloom/store/internal/admin/Examination"
import { DatabaseMissing } from "@leadloom/store/internal/admin/ReadOnlyDatabase"
import { Effect } from "effect"
import { actionLine } from "../admin/AdminFailed.ts"
import { readConfig, type ServerConfig } from "../config/Config.ts"
import type { Environment } from "../config/Variables.ts"
import { secretRedactor } from "./SecretRedaction.ts"
import { probeServer, type ServerProbe } from "./ServerProbe.ts"

/** The result of opening the database. */
export type DatabaseInspection =
  | { readonly kind: "seen"; readonly examination: Examination }
  /** The SQLite file does not exist yet. The first start creates it. */
  | { readonly kind: "missing"; readonly line: string }
  | { readonly kind: "unreachable"; readonly line: string }

/** The facts that the checks share, collected once. */
export interface DoctorContext {
  readonly env: Environment
  /** The configuration; null if the environment is invalid. */
  readonly config: ServerConfig | null
  readonly mistakes: ReadonlyArray<string>
  /** The database; null if the environment is invalid. */
  readonly database: DatabaseInspection | null
  /** The responses of the server; null if its address is unknown. */
  readonly server: ServerProbe | null
  /** Removes secrets from messages of adapters and drivers. */
  readonly hide: (text: string) => string
}

/**
 * Returns the URL at which this machine reaches a server with this configuration; null if the server selects any free
 * port.
 */
const addressOf = ({ host, port }: ServerConfig): string | null => {
  if (port === 0) return null
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`
}

const inspectDatabase = (url: string, hide: DoctorContext["hide"]): Effect.Effect<DatabaseInspection> =>
  Effect.match(examineDatabase(url), {
    onSuccess: (examination): DatabaseInspection => ({ kind: "seen", examination }),
    onFailure: (error): DatabaseInspection => ({
      kind: error instanceof DatabaseMissing ? "missing" : "unreachable",
      line: hide(actionLine(error))
    })
  })

/** Collects the facts for all checks. Pass `serverUrl` if the server's URL differs from the URL in the environment. */
export const inspectDeployment = (env: Environment, serverUrl: string | null): Effect.Effect<DoctorContext> =>
  Effect.gen(function* () {
    const read = readConfig(env)
    const config = "mistakes" in read ? null : read
    const address = serverUrl ?? (config === null ? null : addressOf(config))
    const hide = secretRedactor(env)
    const [database, server] = yield* Effect.all(
      [
        config === null ? Effect.succeed(null) : inspectDatabase(config.databaseUrl, hide),
        address === null ? Effect.succeed(null) : probeServer(address, config?.adminKeys[0] ?? null)
      ],
      { concurrency: 2 }
    )
    return { env, config, mistakes: "mistakes" in read ? read.mistakes : [], database, server, hide }
  })
