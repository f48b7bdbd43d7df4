import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { reportStreams } from "@leadloom/core/internal/port/repository/tenant/Reports"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type DatabaseUrl, databaseName } from "../../DatabaseUrl.ts"
import * as Failure from "../../unit/Failure.ts"
import type { StoreUrlUnsupported } from "../../Store.ts"
import { openWritable } from "../OpenWritable.ts"
import { parseUrl } from "../ReadOnlyDatabase.ts"

/** The database has no tenant with this id. */
export class RecountRefused extends TaggedError("RecountRefused")<{ readonly tenantId: string }> {
  override get message() {
    return `There is no tenant ${this.tenantId} in this database. Check the id and the database.`
  }
}

/** A recorded recount. */
export interface RecountReport {
  readonly database: string
  readonly tenantId: string
}

const record = Effect.fnUntraced(function* (sql: SqlClient, tenantId: string) {
  const found = yield* sql`SELECT 1 AS one FROM tenants WHERE tenant_id = ${tenantId}`
  if (found.length === 0) return yield* new RecountRefused({ tenantId })
  for (const stream of reportStreams) {
    yield* sql`INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
      VALUES (${tenantId}, '', ${stream}, '')
      ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = ''`
  }
})

const run = (database: DatabaseUrl, tenantId: string) =>
  Effect.gen(function* () {
    const { sql } = yield* openWritable(database)
    yield* Effect.catchTag(record(sql, tenantId), "SqlError", Failure.failWith)
  }).pipe(Effect.scoped)

/**
 * Records that the reports of a tenant are to be counted again. A server counts them within minutes, and may be running.
 * The database must have the migrations of this version.
 */
export const requestRecount = (
  url: string,
  tenantId: string
): Effect.Effect<RecountReport, StoreUnavailable | StoreUrlUnsupported | RecountRefused> =>
  Effect.gen(function* () {
    const database = yield* parseUrl(url)
    yield* run(database, tenantId)
    return { database: databaseName(database), tenantId }
  })
