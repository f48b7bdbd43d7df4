/**
 * The reason why statements without a result are not awaited: the same inserts into one Postgres table, each awaited,
 * sent without waiting, and passed to one function as JSON, in one transaction per set. Microseconds per insert,
 * medians of interleaved rounds.
 */
import type { PgConnection } from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"

const setSize = 128

const insert = "INSERT INTO bench_trips (a, b, c) VALUES ($1, $2, $3)"
const call = `CREATE FUNCTION bench_trips_write(writes jsonb) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE w jsonb;
  BEGIN
    FOR w IN SELECT jsonb_array_elements(writes) LOOP
      INSERT INTO bench_trips (a, b, c) VALUES (w ->> 0, (w ->> 1)::bigint, (w ->> 2)::json);
    END LOOP;
  END $$`
const body = JSON.stringify({ text: "Hello, I would like an offer for twelve windows and a door. ".repeat(10) })

type Way = (
  session: PgConnection,
  rows: ReadonlyArray<readonly [string, number, string]>
) => Effect.Effect<void, SqlError>

const each = (session: PgConnection, rows: ReadonlyArray<ReadonlyArray<unknown>>, concurrency: 1 | "unbounded") =>
  Effect.forEach(rows, (row) => session.query(insert, row), { discard: true, concurrency })

const ways: Readonly<Record<string, Way>> = {
  waited: (session, rows) => each(session, rows, 1),
  pipelined: (session, rows) => each(session, rows, "unbounded"),
  oneCall: (session, rows) =>
    Effect.asVoid(session.query("SELECT bench_trips_write($1::jsonb)", [JSON.stringify(rows)]))
}

const insertAll = (session: PgConnection, name: string, way: Way, inserts: number) =>
  Effect.gen(function* () {
    const begun = performance.now()
    for (let from = 0; from < inserts; from += setSize) {
      const rows = Array.from({ length: setSize }, (_, index) => [name, from + index, body] as const)
      yield* session.query("BEGIN")
      yield* way(session, rows)
      yield* session.query("COMMIT")
    }
    return ((performance.now() - begun) * 1_000) / inserts
  })

const measure = (url: string, inserts: number, rounds: number) =>
  Effect.gen(function* () {
    const pool = yield* PgPool.make({
      url: Redacted.make(url),
      maxConnections: 1,
      multiplex: true,
      multiplexConcurrency: 1
    })
    const session = yield* pool.get
    yield* session.query("CREATE TABLE bench_trips (a text, b bigint, c json, PRIMARY KEY (a, b))")
    yield* session.query(call)
    const times = new Map<string, Array<number>>()
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round++) {
      for (const [name, way] of Object.entries(ways)) {
        const time = yield* insertAll(session, `${name}-${round}`, way, inserts)
        if (round > 0) times.set(name, [...(times.get(name) ?? []), time])
      }
    }
    const stored = yield* session.query("SELECT a FROM bench_trips")
    return { times, stored: stored.rows.length }
  })

const run = async (given: number, rounds: number): Promise<BenchResult> => {
  const inserts = Math.ceil(given / setSize) * setSize
  const server = await startForBenchmarks()
  try {
    const { stored, times } = await Effect.runPromise(Effect.scoped(measure(server.url, inserts, rounds)))
    const micros = [...times].map(([name, all]) => [name, Number(median(all).toFixed(1))] as const)
    return {
      figures: { inserts, rounds, setSize, microsecondsAnInsert: Object.fromEntries(micros) },
      checks: { "every way stores every row": stored === (rounds + 1) * Object.keys(ways).length * inserts }
    }
  } finally {
    await server.stop()
  }
}

export const bench: Bench = {
  name: "trips",
  purpose: "Inserts into Postgres that are awaited one by one, sent without waiting, and passed to one function.",
  usage: "[inserts] [rounds]",
  sizes: { smallest: [128, 1], small: [1_024, 3], full: [4_096, 5] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
