import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { type ReportSample, sampleReports } from "@leadloom/core/internal/workflow/report/SampleReports"
import { Effect, Layer, Random, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { Database, make } from "../../Database.ts"
import type { DatabaseUrl } from "../../DatabaseUrl.ts"
import * as SalesPipelines from "../../repository/lead/SalesPipelines.ts"
import * as Reports from "../../repository/tenant/Reports.ts"
import * as TenantRows from "../../repository/tenant/Tenants.ts"
import * as Users from "../../repository/tenant/Users.ts"
import * as Sqlite from "../../Sqlite.ts"
import type { StoreUrlUnsupported } from "../../Store.ts"
import type { Connections } from "../../unit/Connections.ts"
import * as Failure from "../../unit/Failure.ts"
import { adminClient } from "../PostgresSession.ts"
import { parseUrl } from "../ReadOnlyDatabase.ts"

/** The maximum number of tenants whose reports are compared. A tenant needs about ten queries. */
const maxTenants = 100

const openForReading = (database: DatabaseUrl): Effect.Effect<Connections, StoreUnavailable, Scope.Scope> =>
  database.kind === "sqlite"
    ? Effect.mapError(
        Effect.provide(Sqlite.make({ filename: database.filename, readonly: true }), Reactivity.layer),
        Failure.unavailable
      )
    : adminClient(database.url, 1)

const repositories = Layer.mergeAll(Reports.layer, SalesPipelines.layer, TenantRows.layer, Users.layer)

/** Compares a random choice of tenants, so that repeated checks reach all of them. */
const sampleTenants = Effect.gen(function* () {
  const tenants = yield* Random.shuffle(yield* (yield* Tenants).list)
  const samples = yield* Effect.forEach(tenants.slice(0, maxTenants), ({ tenantId }) =>
    // The tenant may have been removed since the list was read.
    Effect.catchTag(sampleReports(tenantId), "TenantNotFound", () => Effect.succeed(null))
  )
  return samples.filter((sample) => sample !== null)
})

/**
 * Compares the reports of up to 100 tenants with a recount of a sample of their rows, without changing the database.
 * Leaves out tenants for which a recount waits. The database must have the migrations of this version.
 */
export const verifyReports = (
  url: string
): Effect.Effect<ReadonlyArray<ReportSample>, StoreUnavailable | StoreUrlUnsupported> =>
  Effect.gen(function* () {
    const opened = yield* make(yield* openForReading(yield* parseUrl(url)))
    return yield* Effect.provide(sampleTenants, Layer.provide(repositories, Layer.succeed(Database, opened)))
  }).pipe(Effect.scoped)
