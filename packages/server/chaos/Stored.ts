/** Reads the stored rows for the final counts, without the product. */
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"

/** A row with its columns as texts. */
export type StoredRow = Readonly<Record<string, string | null>>

const textsOf = (row: Readonly<Record<string, unknown>>): StoredRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]))

/** A database that is read beside the servers. */
export interface Stored {
  /** Returns the values of the first column. */
  readonly values: (text: string) => Promise<ReadonlyArray<string>>
  /** Returns all columns as texts; null stays null. */
  readonly rows: (text: string) => Promise<ReadonlyArray<StoredRow>>
  readonly close: () => Promise<void>
}

/** Opens a Postgres database. Waits while the server is away. */
export const openPostgres = async (url: string): Promise<Stored> => {
  // Concurrent statements need several connections.
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on("error", () => undefined)
  await pool.query("SELECT 1")
  return {
    values: async (text) => {
      const { rows } = await pool.query<Array<unknown>>({ text, rowMode: "array" })
      return rows.map(([value]) => String(value))
    },
    rows: async (text) => (await pool.query<Record<string, unknown>>(text)).rows.map(textsOf),
    close: () => pool.end()
  }
}

/** Opens a SQLite file. */
export const openSqlite = (file: string): Stored => {
  const database = new DatabaseSync(file, { readOnly: true })
  return {
    values: (text) =>
      Promise.resolve(
        database
          .prepare(text)
          .all()
          .map((row) => String(Object.values(row)[0]))
      ),
    rows: (text) => Promise.resolve(database.prepare(text).all().map(textsOf)),
    close: () => Promise.resolve(database.close())
  }
}

/** Returns a count. */
export const countOf = async (stored: Stored, text: string): Promise<number> => Number((await stored.values(text))[0])

/** Returns the bodies of the messages that start with a word. */
export const bodiesOf = (stored: Stored, word: string): Promise<ReadonlyArray<string>> =>
  stored.values(`SELECT body FROM messages WHERE actor = 'contact' AND body LIKE '${word} %'`)

/** The queued signals, and the due or unfinished sends. */
const openWork = (now: number): string =>
  `SELECT (SELECT count(*) FROM signals WHERE state = 'queued')
    + (SELECT count(*) FROM sends WHERE state = 'handed_over' OR (state = 'reserved' AND slot_at <= ${now})) AS count`

/** Waits until the queues are empty. Returns the seconds. Rejects after `maxSeconds`. */
export const drained = async (stored: Stored, maxSeconds = 180, clock: () => number = Date.now): Promise<number> => {
  const begun = performance.now()
  while ((await countOf(stored, openWork(clock()))) > 0) {
    if (performance.now() - begun > maxSeconds * 1_000) throw new Error("the queues did not become empty")
    await sleep(100)
  }
  return Number(((performance.now() - begun) / 1_000).toFixed(1))
}

/** The messages of contacts and their signals. Every message has one signal, and every signal at most one run. */
export type Handling = {
  readonly messages: number
  readonly signals: number
  readonly runs: number
  /** The signals without a run and with a task for a person. */
  readonly reviewTasks: number
}

/** Counts the results of the pipeline. Call it when the queues are empty. */
export const handlingOf = async (stored: Stored): Promise<Handling> => ({
  messages: await countOf(stored, "SELECT count(*) FROM messages WHERE actor = 'contact'"),
  signals: await countOf(stored, "SELECT count(*) FROM signals"),
  runs: await countOf(stored, "SELECT count(*) FROM runs"),
  reviewTasks: await countOf(
    stored,
    `SELECT count(DISTINCT t.signal_id) FROM tasks t WHERE t.type = 'review' AND t.signal_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM runs r WHERE r.tenant_id = t.tenant_id AND r.signal_id = t.signal_id)`
  )
})
