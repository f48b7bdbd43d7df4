/**
 * Lists and search at two sizes: one tenant with the mails of `Correspondence.ts`, on SQLite and on Postgres, through
 * the workflows of the endpoints. Latencies in milliseconds, p50 and p99 of interleaved rounds, and the ratio of the
 * sizes. See docs/decisions/0031-search.md.
 * Run: npm run bench -- lists [10000,1000000] [rounds] [sqlite,postgres]
 */
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { Secrets } from "@leadloom/core/domain/access/Secrets"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { type Context, Effect, Layer } from "effect"
import pg from "pg"
import type { DatabaseUrl } from "../src/DatabaseUrl.ts"
import * as Store from "../src/Store.ts"
import { indexLetters, seedDatabase } from "./FillTenant.ts"
import { questions } from "./Questions.ts"

const sizes = (process.argv[2] ?? "10000,1000000").split(",").map(Number)
const rounds = Number(process.argv[3] ?? 5)
const kinds = (process.argv[4] ?? "sqlite,postgres").split(",")
const timesARound = 60
const secrets = Layer.succeed(Secrets, { adminKeys: [], sessionKeys: [], pepper: new Uint8Array(32) })

interface Scene {
  readonly size: number
  readonly services: Context.Context<Store.Store>
  /** Milliseconds by name of the request. */
  readonly millis: Map<string, Array<number>>
}

const at = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const short = (value: number): number => Number(value.toPrecision(3))

/** Runs one request a few dozen times, with different parameters where possible. */
const request = Effect.fnUntraced(function* ({ millis, services, size }: Scene, name: string, round: number) {
  const question = questions[name]
  if (question === undefined) return
  const taken = millis.get(name) ?? []
  millis.set(name, taken)
  for (let time = 0; time < timesARound; time++) {
    const begun = performance.now()
    yield* question(size, round * timesARound + time).pipe(Effect.provide(services), Effect.provide(secrets))
    // The first round is a warm-up.
    if (round > 0) taken.push(performance.now() - begun)
  }
})

const report = (kind: string, scenes: ReadonlyArray<Scene>): void => {
  const rows = Object.keys(questions).map((name) => {
    const sorted = scenes.map(({ millis }) => (millis.get(name) ?? []).toSorted((one, other) => one - other))
    const figures = sorted.map((values) => [at(values, 0.5), at(values, 0.99)] as const)
    const [small, large] = [figures[0] ?? [1, 1], figures.at(-1) ?? [1, 1]]
    return {
      question: name,
      ...Object.fromEntries(
        scenes.flatMap(({ size }, index) => [
          [`p50 ${size}`, short(figures[index]?.[0] ?? 0)],
          [`p99 ${size}`, short(figures[index]?.[1] ?? 0)]
        ])
      ),
      "p50 ratio": short(large[0] / small[0]),
      "p99 ratio": short(large[1] / small[1])
    }
  })
  console.log(kind, "load", loadavg().map(short).join(" "))
  console.table(rows)
}

const measure = (kind: string, databases: ReadonlyArray<DatabaseUrl>) =>
  Effect.gen(function* () {
    const scenes = yield* Effect.forEach(databases, (database, index) =>
      Effect.gen(function* () {
        const size = sizes[index] ?? 0
        const seededInSeconds = yield* seedDatabase(database, size)
        const url = database.kind === "sqlite" ? `sqlite:${database.filename}` : database.url
        const services: Context.Context<Store.Store> = yield* Layer.build(Layer.fresh(Store.layer({ url })))
        const indexedInSeconds = yield* Effect.provide(indexLetters, services)
        console.log(JSON.stringify({ kind, size, seededInSeconds, indexedInSeconds }))
        return { size, services, millis: new Map() } satisfies Scene
      })
    )
    for (let round = 0; round <= rounds; round++) {
      for (const name of Object.keys(questions)) for (const scene of scenes) yield* request(scene, name, round)
    }
    report(kind, scenes)
  }).pipe(Effect.scoped)

const onSqlite = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-lists-"))
  const files = sizes.map((size): DatabaseUrl => ({ kind: "sqlite", filename: join(folder, `${size}.db`) }))
  try {
    await Effect.runPromise(measure("SQLite", files))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const onPostgres = async (): Promise<void> => {
  const server = await startForBenchmarks()
  try {
    const client = new pg.Client(server.url)
    await client.connect()
    const urls: Array<DatabaseUrl> = []
    for (const size of sizes) {
      await client.query(`CREATE DATABASE bench_lists_${size}`)
      urls.push({
        kind: "postgres",
        url: Object.assign(new URL(server.url), { pathname: `/bench_lists_${size}` }).href
      })
    }
    await client.end()
    await Effect.runPromise(measure("Postgres", urls))
  } finally {
    await server.stop()
  }
}

if (kinds.includes("sqlite")) await onSqlite()
if (kinds.includes("postgres")) await onPostgres()
