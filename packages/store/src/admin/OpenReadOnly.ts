import Database from "better-sqlite3"

/** A row as SQLite has it. */
export type ReadRow = Readonly<Record<string, unknown>>

/** A database that is only read, beside a server that writes it. */
export interface ReadOnly {
  readonly all: (statement: string, ...params: ReadonlyArray<string | number>) => ReadonlyArray<ReadRow>
  readonly close: () => void
}

const isRow = (value: unknown): value is ReadRow => typeof value === "object" && value !== null

/** Opens a SQLite file that is there, for reading. Throws where there is none. */
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
