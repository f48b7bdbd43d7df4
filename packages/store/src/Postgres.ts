import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Redacted, Result, type Scope } from "effect"
import type * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlError } from "effect/sql/SqlError"
import * as WriteConnections from "./unit/WriteConnections.ts"
import * as PostgresWriteConnections from "./unit/PostgresWriteConnections.ts"

/** How a Postgres database is reached. Many servers may share one. */
export interface PostgresConfig {
  /**
   * `postgres://user:password@host:port/database`, with `?sslmode=require` where the way there is not trusted, and with
   * `?pgbouncer=true` where a pooler stands before the database.
   */
  readonly url: string
  /** Those that read; `PostgresWriteConnections.writeConnections` more write, and one more listens (`Notifications`). Default: `poolSize`. */
  readonly maxConnections?: number
  /** How long the database may leave a statement or a transaction unanswered. Default 45 s. */
  readonly deadlineMillis?: number
  /** What the connections are called in `pg_stat_activity`. Default: `serverName`. */
  readonly applicationName?: string
  /** Settings of the sessions, in place of those that keep a server from being held up. */
  readonly session?: Readonly<Record<string, string>>
}

/** What the connections of a server are called. */
export const serverName = "leadloom"

/** Connections of a server that read. */
const poolSize = 10

/** Connections that a server opens at most: those that read, those that write, and one that listens. */
export const serverConnections = poolSize + PostgresWriteConnections.writeConnections + 1

/**
 * What the server sees to, so that a statement, a server that hangs or one that has vanished holds the others up for so
 * long at most. Milliseconds.
 */
const sessionDefaults = {
  statement_timeout: "30000",
  lock_timeout: "10000",
  idle_in_transaction_session_timeout: "30000",
  // Times are whole milliseconds here; this is for people who look.
  timezone: "UTC",
  // Every statement here goes by a key. Left to itself Postgres plans anew for each value, which takes longer than the
  // statement, and reads whole tables until somebody has counted what is in them.
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_material: "off",
  // How many rows LIMIT lets through a generic plan cannot know, and takes for a tenth of them all. On a large store that
  // looks like work for parallel workers and a compiler, each of which takes longer to start than a page to read.
  max_parallel_workers_per_gather: "0",
  jit: "off"
}

/** All that this package runs, with room to spare. */
const statementsKept = 256

/** The longest row that is read: bodies are as long as the server lets them in. */
const maxMessageBytes = 256 * 1_048_576

/**
 * Columns as SQLite gives them, so that one repository serves both: whole numbers of 53 bits as numbers (the driver's are
 * bigint), JSON as the text that was written (the driver's is parsed).
 */
const types = (): PgTypes.Registry => {
  const registry = PgTypes.makeRegistry()
  registry.register<bigint | number>(PgTypes.OID.int8, {
    encode: (value) => PgTypes.encode(BigInt(value), PgTypes.OID.int8),
    decode: (bytes) => Result.map(PgTypes.decode(bytes, PgTypes.OID.int8, 1), Number)
  })
  const asText = (bytes: Uint8Array) => Result.succeed(Buffer.from(bytes).toString("utf8"))
  registry.register<unknown>(PgTypes.OID.json, {
    encode: (value) => PgTypes.encode(value, PgTypes.OID.json),
    decode: asText
  })
  return registry
}

/**
 * Whether the URL says, by the parameter that Prisma has made known, that a pooler stands between. PgBouncer refuses the
 * session defaults, and in transaction mode hands each transaction to another session, which does not know the
 * statements that were prepared in the one before (it does since 1.21, with `max_prepared_statements`).
 * See docs/decisions/0018-scale.md.
 */
export const isPooled = (url: string): boolean => new URL(url).searchParams.get("pgbouncer") === "true"

/** Gives a transaction behind a pooler what a session has elsewhere. */
const setLocally = `SELECT ${Object.entries(sessionDefaults)
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(", ")}`

const settingsOf = ({ applicationName = serverName, session = {}, url }: PostgresConfig) => ({
  url: Redacted.make(url),
  applicationName,
  connectTimeout: "5 seconds" as const,
  keepAlive: "10 seconds" as const,
  prepare: !isPooled(url),
  preparedStatementCacheSize: statementsKept,
  maxMessageSize: maxMessageBytes,
  startupParameters: isPooled(url) ? {} : { ...sessionDefaults, ...session },
  types: types()
})

/** A SQL client on a pool of connections, which are opened as they are needed and replaced when they break. */
export const make = (
  config: PostgresConfig
): Effect.Effect<PgClient.PgClient, SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    const { deadlineMillis = 45_000, maxConnections = poolSize } = config
    const connections: PgClient.PgPoolConfig = { ...settingsOf(config), idleTimeout: "5 minutes" }
    const sql = yield* PgClient.make({ ...connections, maxConnections })
    const settings = isPooled(config.url) ? setLocally : null
    WriteConnections.register(sql, yield* PostgresWriteConnections.make(connections, deadlineMillis, settings))
    return sql
  })

/** A single connection beside the pool, which lasts as long as it lasts. */
export const connect = (
  config: PostgresConfig
): Effect.Effect<PgClient.PgClient, SqlError, Scope.Scope | Reactivity.Reactivity> =>
  PgClient.makeClient(settingsOf(config))
