/**
 * Opens a store: selects SQLite or Postgres by the URL, runs missing migrations and provides all ports. This folder
 * also opens the two databases. SQL and repositories belong in the subfolders. Tests: `packages/store/test`.
 */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Layer, Schedule } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { MigrationError } from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Activities from "./repository/contact/Activities.ts"
import * as ApiKeys from "./repository/tenant/ApiKeys.ts"
import * as Arrivals from "./repository/conversation/Arrivals.ts"
import * as Assistants from "./repository/tenant/Assistants.ts"
import * as AuditTrail from "./repository/tenant/AuditTrail.ts"
import * as Backlogs from "./repository/pipeline/Backlogs.ts"
import * as Batches from "./repository/pipeline/Batches.ts"
import * as BillingAccounts from "./repository/tenant/BillingAccounts.ts"
import * as Blocklist from "./repository/contact/Blocklist.ts"
import * as Notifications from "./queue/Notifications.ts"
import * as Calls from "./repository/conversation/Calls.ts"
import * as CannedReplies from "./repository/conversation/CannedReplies.ts"
import * as ConfigChanges from "./repository/tenant/ConfigChanges.ts"
import * as ContactMerges from "./repository/contact/ContactMerges.ts"
import * as ContactSummaries from "./repository/contact/ContactSummaries.ts"
import * as Contacts from "./repository/contact/Contacts.ts"
import * as Conversations from "./repository/conversation/Conversations.ts"
import * as ReadMarks from "./repository/conversation/ReadMarks.ts"
import * as Views from "./repository/conversation/Views.ts"
import * as Credits from "./repository/tenant/Credits.ts"
import * as CrmFirstSyncs from "./repository/crm/CrmFirstSyncs.ts"
import * as CrmInstalls from "./repository/crm/CrmInstalls.ts"
import * as CrmLinks from "./repository/crm/CrmLinks.ts"
import * as Database from "./Database.ts"
import { readDatabaseUrl } from "./DatabaseUrl.ts"
import * as CrmCalls from "./repository/crm/CrmCalls.ts"
import * as CrmLocations from "./repository/crm/CrmLocations.ts"
import * as Deliveries from "./repository/webhook/Deliveries.ts"
import * as Drafts from "./repository/conversation/Drafts.ts"
import * as Erasures from "./repository/contact/Erasures.ts"
import * as Jobs from "./repository/webhook/Jobs.ts"
import * as WebhookCalls from "./repository/webhook/WebhookCalls.ts"
import * as Events from "./repository/webhook/Events.ts"
import * as Failure from "./unit/Failure.ts"
import { lockFile } from "./FileLock.ts"
import * as Grants from "./repository/conversation/Grants.ts"
import * as GuardEvaluations from "./repository/pipeline/GuardEvaluations.ts"
import * as PersonalData from "./privacy/PersonalData.ts"
import * as IdempotencyRecords from "./repository/tenant/IdempotencyRecords.ts"
import * as Identities from "./repository/contact/Identities.ts"
import * as ContactImports from "./repository/contact/ContactImports.ts"
import * as Companies from "./repository/contact/Companies.ts"
import * as Segments from "./repository/contact/Segments.ts"
import * as CustomFields from "./repository/contact/CustomFields.ts"
import * as Leads from "./repository/lead/Leads.ts"
import * as SalesPipelines from "./repository/lead/SalesPipelines.ts"
import * as Macros from "./repository/conversation/Macros.ts"
import * as MailboxAccounts from "./repository/conversation/MailboxAccounts.ts"
import * as MailboxSyncs from "./repository/conversation/MailboxSyncs.ts"
import * as Messages from "./repository/conversation/Messages.ts"
import { type CopyUnfinished, type DatabaseTooNew, migrate } from "./migration/Migrations.ts"
import * as Notes from "./repository/conversation/Notes.ts"
import * as Presences from "./queue/Presences.ts"
import * as ProviderEvents from "./repository/webhook/ProviderEvents.ts"
import * as OptOuts from "./repository/contact/OptOuts.ts"
import * as TrackingConsents from "./repository/contact/TrackingConsents.ts"
import * as TrackedLinks from "./repository/sequence/TrackedLinks.ts"
import * as PastFacts from "./repository/pipeline/PastFacts.ts"
import * as PastRuns from "./repository/pipeline/PastRuns.ts"
import * as PhoneNumbers from "./repository/contact/PhoneNumbers.ts"
import * as Postgres from "./Postgres.ts"
import * as RateLimits from "./limit/RateLimits.ts"
import * as Reports from "./repository/tenant/Reports.ts"
import * as RemoteImageSenders from "./repository/conversation/RemoteImageSenders.ts"
import * as Runs from "./repository/pipeline/Runs.ts"
import * as Scores from "./repository/lead/Scores.ts"
import * as Search from "./search/Search.ts"
import * as Sends from "./repository/conversation/Sends.ts"
import * as Signals from "./repository/pipeline/Signals.ts"
import * as TriggerRuns from "./repository/pipeline/TriggerRuns.ts"
import * as Sources from "./repository/tenant/Sources.ts"
import * as Sqlite from "./Sqlite.ts"
import * as ConsoleSessions from "./repository/tenant/ConsoleSessions.ts"
import * as StreamTickets from "./repository/tenant/StreamTickets.ts"
import * as Subscriptions from "./repository/webhook/Subscriptions.ts"
import * as TaskComments from "./repository/lead/TaskComments.ts"
import * as Tasks from "./repository/lead/Tasks.ts"
import * as Teams from "./repository/tenant/Teams.ts"
import * as Tenants from "./repository/tenant/Tenants.ts"
import * as ThreadCorrections from "./repository/conversation/ThreadCorrections.ts"
import * as Threads from "./repository/conversation/Threads.ts"
import * as IntakeTransactions from "./intake/Transactions.ts"
import * as AgentDrafts from "./repository/conversation/AgentDrafts.ts"
import * as Enrolments from "./repository/sequence/Enrolments.ts"
import * as Sequences from "./repository/sequence/Sequences.ts"
import * as ScheduledSends from "./repository/conversation/ScheduledSends.ts"
import * as Uploads from "./repository/conversation/Uploads.ts"
import * as Transactions from "./unit/Transactions.ts"
import * as Usages from "./repository/tenant/Usages.ts"
import * as Users from "./repository/tenant/Users.ts"
import { log } from "./LogEvents.ts"

/** The settings of a store. */
export interface StoreConfig {
  /**
   * `sqlite:<file path>` (creates a missing file), `sqlite::memory:`, or `postgres://user:password@host:port/database`,
   * which several servers may share.
   */
  readonly url: string
  /**
   * If set, the store waits for an unreachable Postgres instead of failing. The callback receives the reason each time
   * it changes, and null when the database answers. Default: the store fails.
   */
  readonly onUnreachable?: (reason: string | null) => void
  /** The maximum time for one Postgres statement or transaction. Default: 45 s. */
  readonly deadlineMillis?: number
}

/** The URL has a scheme that the store does not support. */
export class StoreUrlUnsupported extends TaggedError("StoreUrlUnsupported")<{ readonly scheme: string }> {
  override get message() {
    return `Unsupported store URL ${this.scheme}:. Use sqlite:<file path> or postgres://<user>:<password>@<host>/<database>, for example sqlite:data/leadloom.db.`
  }
}

/** The reasons why this version must not use an existing database. */
export type DatabaseUnusable = DatabaseTooNew | CopyUnfinished

/** Creates the folder of a SQLite file. */
export const createFolder = (filename: string): Effect.Effect<void, StoreUnavailable> =>
  Effect.try({
    try: () => void (filename === Sqlite.memory || mkdirSync(dirname(filename), { recursive: true })),
    catch: (cause) => new StoreUnavailable({ reason: `Cannot create the folder of ${filename}: ${String(cause)}` })
  })

/** Classifies a failed migration: an unreachable database is an outage, a wrong migration is a defect. */
export const migrationFailed = (
  error: SqlError | MigrationError | DatabaseUnusable
): Effect.Effect<never, StoreUnavailable | DatabaseUnusable> => {
  if (error._tag === "DatabaseTooNew" || error._tag === "CopyUnfinished") return Effect.fail(error)
  const cause = error._tag === "MigrationError" ? error.cause : error
  return isSqlError(cause) ? Failure.failWith(cause) : Effect.die(error)
}

type Open = Layer.Layer<Database.Database | SqlClient, StoreUnavailable | DatabaseUnusable>

const openSqlite = (filename: string): Open =>
  Database.layer(
    Effect.gen(function* () {
      yield* createFolder(filename)
      if (filename !== Sqlite.memory) yield* lockFile(filename)
      const connections = yield* Effect.mapError(Sqlite.make({ filename }), Failure.unavailable)
      yield* migrate.pipe(Effect.provideService(SqlClient, connections.sql), Effect.catch(migrationFailed))
      return yield* Database.make(connections)
    })
  ).pipe(Layer.provide(Reactivity.layer))

/** Returns whether a failure concerns the connection, so that a retry may succeed. */
const isUnreachable = (error: SqlError | MigrationError | DatabaseUnusable): boolean =>
  isSqlError(error) && Failure.isConnectionFailure(error)

/** Returns host, port and database name, without the password. */
const placeOf = (url: string): string => {
  const { hostname, pathname, port } = new URL(url)
  return `${hostname}:${port === "" ? "5432" : port}${pathname}`
}

/** Returns a function that reports and logs the reason for the wait each time the reason changes. */
const makeWatch = (url: string, onUnreachable: (reason: string | null) => void) => {
  let last: string | null = null
  const place = placeOf(url)
  return {
    away: (error: SqlError | MigrationError | DatabaseUnusable) =>
      Effect.suspend(() => {
        const cause = isSqlError(error) ? Failure.unavailable(error).reason : error.message
        const reason = `The database at ${place} does not answer: ${cause}`
        if (reason === last) return Effect.void
        last = reason
        onUnreachable(reason)
        return log("database.waiting", { reason })
      }),
    here: Effect.suspend(() => {
      if (last === null) return Effect.void
      onUnreachable(null)
      return log("database.connected", { database: place })
    })
  }
}

/** The interval between two attempts to connect to Postgres. */
const pause = "1 second"

const openPostgres = ({ onUnreachable, ...config }: StoreConfig): Open =>
  Database.layer(
    Effect.gen(function* () {
      const connections = yield* Effect.mapError(Postgres.make(config), Failure.unavailable)
      const { sql } = connections
      const attempt = Effect.provideService(migrate, SqlClient, sql)
      const watch = makeWatch(config.url, onUnreachable ?? (() => undefined))
      const withRetries = Effect.retry(
        Effect.tapError(attempt, (error) => (isUnreachable(error) ? watch.away(error) : Effect.void)),
        { while: (error) => isUnreachable(error), schedule: Schedule.spaced(pause) }
      )
      yield* Effect.catch(
        onUnreachable === undefined ? attempt : Effect.andThen(withRetries, watch.here),
        migrationFailed
      )
      const reactivity = yield* Reactivity.Reactivity
      const connect = Effect.provideService(Postgres.connect(config), Reactivity.Reactivity, reactivity)
      return yield* Database.make(connections, yield* Notifications.make({ notify: sql.notify, connect }))
    })
  ).pipe(Layer.provide(Reactivity.layer))

const open = (
  config: StoreConfig
): Layer.Layer<Database.Database | SqlClient, StoreUrlUnsupported | StoreUnavailable | DatabaseUnusable> => {
  const database = readDatabaseUrl(config.url)
  if (database === null) {
    return Layer.unwrap(Effect.fail(new StoreUrlUnsupported({ scheme: config.url.split(":")[0] ?? "" })))
  }
  return database.kind === "sqlite" ? openSqlite(database.filename) : openPostgres(config)
}

/** The ports without the batches of messages. */
const repositories = Layer.mergeAll(
  Activities.layer,
  ApiKeys.layer,
  Arrivals.layer,
  Assistants.layer,
  AuditTrail.layer,
  Backlogs.layer,
  Batches.layer,
  BillingAccounts.layer,
  Blocklist.layer,
  Calls.layer,
  Companies.layer,
  ConfigChanges.layer,
  ContactImports.layer,
  ContactMerges.layer,
  ContactSummaries.layer,
  Contacts.layer,
  Conversations.layer,
  ReadMarks.layer,
  Views.layer,
  Credits.layer,
  CrmCalls.layer,
  CrmLocations.layer,
  CrmFirstSyncs.layer,
  CrmInstalls.layer,
  CrmLinks.layer,
  CustomFields.layer,
  Deliveries.layer,
  Drafts.layer,
  Erasures.layer,
  Jobs.layer,
  WebhookCalls.layer,
  Events.layer,
  Grants.layer,
  GuardEvaluations.layer,
  PersonalData.layer,
  Identities.layer,
  IdempotencyRecords.layer,
  Leads.layer,
  SalesPipelines.layer,
  MailboxAccounts.layer,
  MailboxSyncs.layer,
  Messages.layer,
  RateLimits.layer,
  Presences.layer,
  ProviderEvents.layer,
  OptOuts.layer,
  TrackingConsents.layer,
  PhoneNumbers.layer,
  PastFacts.layer,
  PastRuns.layer,
  Reports.layer,
  Runs.layer,
  Scores.layer,
  Search.layer,
  Sends.layer,
  Signals.layer,
  Segments.layer,
  Sources.layer,
  StreamTickets.layer,
  ConsoleSessions.layer,
  Subscriptions.layer,
  CannedReplies.layer,
  Macros.layer,
  Notes.layer,
  RemoteImageSenders.layer,
  TaskComments.layer,
  Tasks.layer,
  Teams.layer,
  Tenants.layer,
  ThreadCorrections.layer,
  Threads.layer,
  Transactions.layer,
  AgentDrafts.layer,
  ScheduledSends.layer,
  Sequences.layer,
  Enrolments.layer,
  TrackedLinks.layer,
  TriggerRuns.layer,
  Uploads.layer,
  Usages.layer,
  Users.layer
)

/** All ports on an open database. */
export const ports = Layer.provideMerge(IntakeTransactions.layer, repositories)

/** All store ports, the database for `ping` and the deployment's settings, and the SQL client. */
export type Store = Layer.Success<typeof ports> | Database.Database | SqlClient

/** Opens the database, runs missing migrations and provides all store ports. */
export const layer = (
  config: StoreConfig
): Layer.Layer<Store, StoreUrlUnsupported | StoreUnavailable | DatabaseUnusable> =>
  Layer.provideMerge(ports, open(config))

/** Succeeds if the database answers. Does not wait for a running unit of work. */
export const ping: Effect.Effect<void, StoreUnavailable, Database.Database> = Effect.flatMap(
  Database.Database,
  ({ query }) => Effect.asVoid(query("SELECT 1 AS one")())
)
