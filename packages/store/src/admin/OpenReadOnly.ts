import Database from "better-sqlite3"

/** A row as SQLite returns it. */
export type ReadRow = Readonly<Record<string, unknown>>

/** A database that is opened for reads only. A server may write to it at the same time. */
export interface ReadOnly {
  readonly all: (statement: string, ...params: ReadonlyArray<string | number>) => ReadonlyArray<ReadRow>
  readonly close: () => void
}

const isRow = (value: unknown): value is ReadRow => typeof value === "object" && value !== null

/** Opens an existing SQLite file for reading. Throws if it is missing. */
export const openReadOnly = (file: string): ReadOnly => {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  return {
    all: (statement, ...params) =>
      database
        .prepare(statement)
        .all(...params)
        .filter(isRow),
    close: () => void database.close()
  }
}
