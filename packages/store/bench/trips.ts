/**
 * The reason why statements without a result are not awaited: the same inserts into one Postgres table, each awaited,
 * sent without waiting, and passed to one function as JSON, in one transaction per set. Microseconds per insert,
 * medians of interleaved rounds.
 * Run: npm run bench -- trips [inserts] [rounds]
 */
import type { PgConnection } from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"

const inserts = Number(process.argv[2] ?? 4_096)
const rounds = Number(process.argv[3] ?? 5)
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

const measure = (session: PgConnection, name: string, way: Way, round: number) =>
  Effect.gen(function* () {
    const begun = performance.now()
    for (let from = 0; from < inserts; from += setSize) {
      const rows = Array.from({ length: setSize }, (_, index) => [`${name}-${round}`, from + index, body] as const)
      yield* session.query("BEGIN")
      yield* way(session, rows)
      yield* session.query("COMMIT")
    }
    return ((performance.now() - begun) * 1_000) / inserts
  })

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

const server = await startForBenchmarks()
const times = new Map<string, Array<number>>()
await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const pool = yield* PgPool.make({
        url: Redacted.make(server.url),
        maxConnections: 1,
        multiplex: true,
        multiplexConcurrency: 1
      })
      const session = yield* pool.get
      yield* session.query("DROP TABLE IF EXISTS bench_trips")
      yield* session.query("DROP FUNCTION IF EXISTS bench_trips_write")
      yield* session.query("CREATE TABLE bench_trips (a text, b bigint, c json, PRIMARY KEY (a, b))")
      yield* session.query(call)
      // The first round is a warm-up.
      for (let round = 0; round <= rounds; round++) {
        for (const [name, way] of Object.entries(ways)) {
          const time = yield* measure(session, name, way, round)
          if (round > 0) times.set(name, [...(times.get(name) ?? []), time])
        }
      }
      yield* session.query("DROP FUNCTION bench_trips_write")
      yield* session.query("DROP TABLE bench_trips")
    })
  )
)
await server.stop()
console.log(
  JSON.stringify({
    inserts,
    rounds,
    setSize,
    microsecondsAnInsert: Object.fromEntries([...times].map(([name, all]) => [name, Number(median(all).toFixed(1))]))
  })
)
