import { type Examination, examineDatabase } from "@leadloom/store/admin/Examination"
import { DatabaseMissing } from "@leadloom/store/admin/ReadOnlyDatabase"
import { Effect } from "effect"
import { actionLine } from "../admin/AdminFailed.ts"
import { readConfig, type ServerConfig } from "../config/Config.ts"
import type { Environment } from "../config/Variables.ts"
import { secretRedactor } from "./SecretRedaction.ts"
import { probeServer, type ServerProbe } from "./ServerProbe.ts"

/** What is known of the database. */
export type DatabaseInspection =
  | { readonly kind: "seen"; readonly examination: Examination }
  /** A SQLite file that the first start will make. */
  | { readonly kind: "missing"; readonly line: string }
  | { readonly kind: "unreachable"; readonly line: string }

/** What every check looks at, found out once. */
export interface DoctorContext {
  readonly env: Environment
  /** Null: the environment makes none. */
  readonly config: ServerConfig | null
  readonly mistakes: ReadonlyArray<string>
  /** Null without a configuration. */
  readonly database: DatabaseInspection | null
  /** Null: no address of a server is known. */
  readonly server: ServerProbe | null
  /** Blacks secrets out of what others say. */
  readonly hide: (text: string) => string
}

/** Where a server of this configuration listens, as this machine reaches it. */
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

/** Looks around. `serverUrl` names a server that runs elsewhere than this environment says. */
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
