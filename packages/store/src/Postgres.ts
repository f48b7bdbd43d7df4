import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Redacted, Result, type Scope } from "effect"
import type * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlError } from "effect/sql/SqlError"
import { type Connections, makeConnections } from "./unit/Connections.ts"
import * as PostgresWriteConnections from "./unit/PostgresWriteConnections.ts"

/** The settings of a Postgres connection pool. Several servers may share one database. */
export interface PostgresConfig {
  /**
   * `postgres://user:password@host:port/database`. Add `?sslmode=require` on an untrusted network and `?pgbouncer=true`
   * behind a connection pooler.
   */
  readonly url: string
  /**
   * The number of connections for reads. Default: `poolSize`. In addition, a server opens
   * `writeConnections` and `intakeConnections` of `PostgresWriteConnections` for writes, and one for notifications.
   */
  readonly maxConnections?: number
  /** The maximum time for one statement or transaction. Default: 45 s. */
  readonly deadlineMillis?: number
  /** The `application_name` in `pg_stat_activity`. Default: `serverName`. */
  readonly applicationName?: string
  /** The session settings. They replace `sessionDefaults`, which limit the time of statements and locks. */
  readonly session?: Readonly<Record<string, string>>
}

/** The `application_name` of a server's connections. */
export const serverName = "leadloom"

/** The number of connections for reads that a server opens. */
const poolSize = 10

/** The maximum number of connections that one server opens: for reads, for writes, and for notifications. */
export const serverConnections =
  poolSize + PostgresWriteConnections.writeConnections + PostgresWriteConnections.intakeConnections + 1

/**
 * Session settings of a server, in milliseconds. They limit the delay that other servers suffer from a slow statement,
 * a hanging server or a lost server.
 */
const sessionDefaults = {
  statement_timeout: "30000",
  lock_timeout: "10000",
  idle_in_transaction_session_timeout: "30000",
  // The store saves times as integers in milliseconds, so the time zone matters only to people who query the database.
  timezone: "UTC",
  // Every statement finds rows by a key. By default, Postgres plans a statement again for every value, which takes
  // longer than the statement itself. Without statistics, such a plan reads whole tables.
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_material: "off",
  // A generic plan does not know the value of LIMIT and assumes a tenth of all rows. On a large store, this estimate
  // starts parallel workers and the JIT compiler. Starting either takes longer than reading a page.
  max_parallel_workers_per_gather: "0",
  jit: "off"
}

/** The maximum number of prepared statements per connection. It exceeds the number of statements in this package. */
const statementsKept = 256

/** The maximum size of one row in bytes. It exceeds the largest body that the server accepts. */
const maxMessageBytes = 256 * 1_048_576

/**
 * Type parsers that return the same values as SQLite, so that one repository serves both databases. 64-bit integers
 * become numbers (the driver's default is bigint), and JSON stays text (the driver's default is a parsed value).
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
 * Returns whether the URL announces a connection pooler, by the parameter that Prisma introduced. PgBouncer rejects the
 * session defaults. In transaction mode, it may run each transaction in another session, in which the prepared
 * statements are missing; since version 1.21, it keeps them if `max_prepared_statements` is set. See
 * docs/decisions/0018-scale.md.
 */
export const isPooled = (url: string): boolean => new URL(url).searchParams.get("pgbouncer") === "true"

/** A statement that applies the session settings to one transaction. It is needed behind a pooler. */
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

/** Opens a pool of connections. The pool opens connections on demand and replaces broken ones. */
export const make = (
  config: PostgresConfig
): Effect.Effect<Connections<PgClient.PgClient>, SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    const { deadlineMillis = 45_000, maxConnections = poolSize } = config
    const connections: PgClient.PgPoolConfig = { ...settingsOf(config), idleTimeout: "5 minutes" }
    const sql = yield* PgClient.make({ ...connections, maxConnections })
    const settings = isPooled(config.url) ? setLocally : null
    const open = (count: number) => PostgresWriteConnections.make(connections, count, deadlineMillis, settings)
    const writeConnections = yield* open(PostgresWriteConnections.writeConnections)
    const intakeConnections = yield* open(PostgresWriteConnections.intakeConnections)
    return makeConnections({ sql, reader: null, writeConnections, intakeConnections })
  })

/** Opens a single connection outside the pool. It closes with the scope. */
export const connect = (
  config: PostgresConfig
): Effect.Effect<PgClient.PgClient, SqlError, Scope.Scope | Reactivity.Reactivity> =>
  PgClient.makeClient(settingsOf(config))
