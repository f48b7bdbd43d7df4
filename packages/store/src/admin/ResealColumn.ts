import { type UnsealFailed, Vault } from "@leadloom/core/internal/port/system/Vault"
import { Effect, Result } from "effect"
import { Database } from "../Database.ts"
import { quoted } from "./PageSql.ts"
import type { SealedColumn } from "./SealedColumns.ts"

/** The result of resealing one column. To reseal a secret means to encrypt it again with the newest key. */
export interface ResealedColumn {
  readonly table: string
  readonly column: string
  /** The number of secrets in the column. */
  readonly sealed: number
  /** The number of secrets that were encrypted again. */
  readonly resealed: number
  /** The keys of rows whose secret cannot be decrypted. These secrets stay unchanged. */
  readonly unopened: ReadonlyArray<ReadonlyArray<string>>
}

/** The number of rows per page. It is small, because a single value may be long. */
const pageRows = 100

/**
 * The maximum number of passes over a column. A running server may encrypt a secret with an old key during a pass. The
 * next pass finds this secret.
 */
const maxPasses = 3

type Row = Readonly<Record<string, string>>

const statementsOf = ({ column, key, table }: SealedColumn) =>
  Effect.gen(function* () {
    const { query } = yield* Database
    const [name, sealed] = [quoted(table), quoted(column)]
    const keys = key.map(quoted)
    const has = `${sealed} IS NOT NULL AND ${sealed} <> ''`
    const shown = key.map((each, index) => `${quoted(each)} AS k${index}`).join(", ")
    const its = keys.map((each) => `${each} = ?`).join(" AND ")
    return {
      page: query<Row>(
        `SELECT ${shown}, ${sealed} AS sealed FROM ${name}
          WHERE (${keys.join(", ")}) > (${keys.map(() => "?").join(", ")}) AND ${has} AND substr(${sealed}, 1, 12) <> ?
          ORDER BY ${keys.join(", ")} LIMIT ${pageRows}`
      ),
      count: query<{ readonly n: number | string }>(
        `SELECT CAST(count(*) AS INTEGER) AS n FROM ${name} WHERE ${has} AND substr(${sealed}, 1, 12) = ?`
      ),
      countAll: query<{ readonly n: number | string }>(
        `SELECT CAST(count(*) AS INTEGER) AS n FROM ${name} WHERE ${has}`
      ),
      replace: query(`UPDATE ${name} SET ${sealed} = ? WHERE ${its} AND ${sealed} = ? RETURNING 1 AS done`)
    }
  })

/** Returns the prefix of a text that is sealed under a key: `v1.`, the key id of 8 characters, a full stop. */
const headOf = (id: string): string => `v1.${id}.`

/** Counts the texts of a column that are sealed under a key. */
export const countUnder = (column: SealedColumn, id: string) =>
  Effect.gen(function* () {
    const [row] = yield* (yield* statementsOf(column)).count(headOf(id))
    return Number(row?.n ?? 0)
  })

const openOf = (column: SealedColumn, text: string, place: string): Effect.Effect<string, UnsealFailed, Vault> =>
  column.isUnsealed(text) ? Effect.succeed(text) : Effect.flatMap(Vault, (vault) => vault.open(text, place))

/** Makes one pass over a column: reads all texts that are not sealed with the newest key, and seals them again. */
const walk = (column: SealedColumn) =>
  Effect.gen(function* () {
    const vault = yield* Vault
    const { page, replace } = yield* statementsOf(column)
    const unopened: Array<ReadonlyArray<string>> = []
    let resealed = 0
    let skipped = 0
    let after: ReadonlyArray<string> = column.key.map(() => "")
    for (;;) {
      const rows = yield* page(...after, headOf(vault.keys[0]))
      for (const row of rows) {
        const key = column.key.map((_, index) => row[`k${index}`] ?? "")
        const kept = row["sealed"] ?? ""
        const place = column.place(key)
        after = key
        const secret = yield* Effect.result(openOf(column, kept, place))
        if (Result.isFailure(secret)) unopened.push(key)
        // No row means that another process has changed this secret. Its new value is kept, and the next pass reads it.
        else if ((yield* replace(vault.seal(secret.success, place), ...key, kept)).length > 0) resealed += 1
        else skipped += 1
      }
      if (rows.length < pageRows) return { unopened, resealed, skipped }
    }
  })

/** Seals the texts of a column with the newest key. Skips texts that cannot be decrypted. */
export const resealColumn = (column: SealedColumn) =>
  Effect.gen(function* () {
    let resealed = 0
    let last = yield* walk(column)
    for (let walks = 1; ; walks += 1) {
      resealed += last.resealed
      if (walks === maxPasses || (last.resealed === 0 && last.skipped === 0)) break
      last = yield* walk(column)
    }
    const [row] = yield* (yield* statementsOf(column)).countAll()
    const report: ResealedColumn = {
      table: column.table,
      column: column.column,
      sealed: Number(row?.n ?? 0),
      resealed,
      unopened: last.unopened
    }
    return report
  })
