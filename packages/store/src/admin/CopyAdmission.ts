import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { databaseName } from "../DatabaseUrl.ts"
import { copyMarker } from "../migration/Migrations.ts"
import { type ReadOnlyDatabase, tablesOf } from "./ReadOnlyDatabase.ts"
import type { CatalogTable } from "./Catalog.ts"
import { quoted } from "./PageSql.ts"

/** The copy was refused. `message` states the next step. */
export class CopyRefused extends TaggedError("CopyRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** The input of one copy. */
export interface CopyPlan {
  /** The name of the source, without the password. */
  readonly source: string
  readonly tables: ReadonlyArray<CatalogTable>
  /** Whether the copy continues an interrupted one. */
  readonly resume: boolean
}

/** Returns the first table that has rows; undefined if all tables are empty. */
const firstWithRows = (
  requested: ReadOnlyDatabase,
  tables: ReadonlyArray<CatalogTable>,
  present: ReadonlySet<string>
) =>
  Effect.gen(function* () {
    for (const { name } of tables) {
      if (present.has(name) && (yield* requested.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`)).length > 0) return name
    }
    return undefined
  })

/**
 * Checks that the target is empty, or an interrupted copy of the same source that `resume` permits to continue. Returns
 * whether the target is empty. Otherwise fails with `CopyRefused`.
 */
export const admitCopy = (
  requested: ReadOnlyDatabase,
  { resume, source, tables }: CopyPlan
): Effect.Effect<boolean, CopyRefused | StoreUnavailable> =>
  Effect.gen(function* () {
    const name = databaseName(requested.database)
    const present = yield* tablesOf(requested)
    if (present.has(copyMarker)) {
      const [row] = yield* requested.query(`SELECT source FROM ${copyMarker}`)
      const begun = row === undefined ? source : String(row[0])
      const reason = `${name} is an unfinished copy of ${begun}`
      if (begun !== source)
        return yield* new CopyRefused({ reason: `${reason}, not of ${source}. Choose another target.` })
      if (!resume) return yield* new CopyRefused({ reason: `${reason}. Continue it with --resume.` })
      return false
    }
    const held = yield* firstWithRows(requested, tables, present)
    if (held === undefined) return true
    const advice = resume
      ? "It is not an unfinished copy. Run the command without --resume on an empty database."
      : "Copy into an empty database."
    return yield* new CopyRefused({ reason: `${name} already contains data (table ${held}). ${advice}` })
  })

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * Returns the statements that mark a database as an unfinished copy. A server refuses to start on a marked database.
 */
export const markCopy = (source: string): ReadonlyArray<string> => [
  `CREATE TABLE IF NOT EXISTS ${copyMarker} (source text NOT NULL)`,
  `DELETE FROM ${copyMarker}`,
  `INSERT INTO ${copyMarker} VALUES (${literal(source)})`
]

/** The statement that removes the mark of an unfinished copy. */
export const unmarkCopy = `DROP TABLE ${copyMarker}`
