import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Data, Effect } from "effect"
import { databaseName } from "../DatabaseUrl.ts"
import { copyMarker } from "../migration/Migrations.ts"
import { type ReadOnlyDatabase, tablesOf } from "./ReadOnlyDatabase.ts"
import type { CatalogTable } from "./Catalog.ts"
import { quoted } from "./PageSql.ts"

/** A copy must not be made like this; `message` says what to do instead. */
export class CopyRefused extends Data.TaggedError("CopyRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** What is to be copied. */
export interface CopyPlan {
  /** Name of the source, without password. */
  readonly source: string
  readonly tables: ReadonlyArray<CatalogTable>
  /** Goes on with a copy that was broken off. */
  readonly resume: boolean
}

/** The first table that has rows; undefined when none has. */
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
 * Sees that a copy may be made into this database: it is empty, or the broken-off copy of the same source, to be gone on
 * with. Answers whether it is empty.
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
        return yield* new CopyRefused({ reason: `${reason}, not of ${source}. Copy into another one.` })
      if (!resume) return yield* new CopyRefused({ reason: `${reason}. Go on with it by --resume.` })
      return false
    }
    const held = yield* firstWithRows(requested, tables, present)
    if (held === undefined) return true
    const advice = resume ? "It is no unfinished copy: there is nothing to resume." : "Copy into an empty database."
    return yield* new CopyRefused({ reason: `${name} holds data already (table ${held}). ${advice}` })
  })

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The statements that mark a database as a copy that has begun: from then on no server works with it. */
export const markCopy = (source: string): ReadonlyArray<string> => [
  `CREATE TABLE IF NOT EXISTS ${copyMarker} (source text NOT NULL)`,
  `DELETE FROM ${copyMarker}`,
  `INSERT INTO ${copyMarker} VALUES (${literal(source)})`
]

/** The statement that ends a copy. */
export const unmarkCopy = `DROP TABLE ${copyMarker}`
