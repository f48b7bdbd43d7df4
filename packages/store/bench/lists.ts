/**
 * Lists and search at two sizes: one tenant with the mails of `Correspondence.ts`, on SQLite and on Postgres, through
 * the workflows of the endpoints. Latencies in milliseconds, p50 and p99 of interleaved rounds, the median number of
 * results, and the ratio of the smallest and the largest size. See docs/decisions/0031-search.md.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { Ids } from "@leadloom/core/internal/port/system/Ids"
import { type Bench, type BenchResult, listAt, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { quantile, short } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { type Context, Effect, Layer } from "effect"
import type { DatabaseUrl } from "../src/DatabaseUrl.ts"
import * as Store from "../src/Store.ts"
import { indexLetters, seedDatabase } from "./FillTenant.ts"
import { countMessages } from "./Load.ts"
import { findsNewest, questions } from "./Questions.ts"

const secrets = Layer.succeed(Secrets, { adminKeys: [], sessionKeys: [], pepper: new Uint8Array(32) })

/** The end of a snooze is an event, which the CRM may follow. The tenant has no CRM. */
const surroundings = Layer.mergeAll(secrets, Ids.layer(randomBytes), Crm.closed("LEADLOOM_CRM_CLIENT_ID"))

interface Scene {
  readonly size: number
  readonly services: Context.Context<Store.Store>
  /** Milliseconds by name of the request. */
  readonly millis: Map<string, Array<number>>
  /** The numbers of returned contacts, conversations and messages by name of the request. */
  readonly results: Map<string, Array<number>>
}

const lists = ["contacts", "conversations", "messages"] as const

/** Returns the number of contacts, conversations and messages in an answer. */
const countResults = (answer: unknown): number =>
  typeof answer === "object" && answer !== null
    ? lists.reduce((sum, list) => {
        const found: unknown = Reflect.get(answer, list)
        return sum + (Array.isArray(found) ? found.length : 0)
      }, 0)
    : 0

/** Runs one request a few dozen times, with different parameters where possible. */
const request = Effect.fnUntraced(function* (
  { millis, results, services, size }: Scene,
  name: string,
  round: number,
  times: number
) {
  const question = questions[name]
  if (question === undefined) return
  const taken = millis.get(name) ?? []
  millis.set(name, taken)
  const counted = results.get(name) ?? []
  results.set(name, counted)
  for (let time = 0; time < times; time++) {
    const begun = performance.now()
    const answer = yield* question(size, round * times + time).pipe(
      Effect.provide(services),
      Effect.provide(surroundings)
    )
    // The first round is a warm-up.
    if (round === 0) continue
    taken.push(performance.now() - begun)
    counted.push(countResults(answer))
  }
})

const rowsOf = (kind: string, scenes: ReadonlyArray<Scene>) =>
  Object.keys(questions).map((question) => {
    const figures = scenes.map(({ millis, results }) => {
      const values = millis.get(question) ?? []
      const results50 = quantile(results.get(question) ?? [], 0.5)
      return { p50: quantile(values, 0.5), p99: quantile(values, 0.99), results: results50 }
    })
    const none = { p50: 1, p99: 1, results: 0 }
    const [small, large] = [figures[0] ?? none, figures.at(-1) ?? none]
    const columns = scenes.flatMap(({ size }, index) => [
      [`p50 ${size}`, short(figures[index]?.p50 ?? 0)] as const,
      [`p99 ${size}`, short(figures[index]?.p99 ?? 0)] as const,
      [`results ${size}`, figures[index]?.results ?? 0] as const
    ])
    const ratios = { "p50 ratio": short(large.p50 / small.p50), "p99 ratio": short(large.p99 / small.p99) }
    return { kind, question, ...Object.fromEntries(columns), ...ratios }
  })

interface Plan {
  readonly sizes: ReadonlyArray<number>
  readonly rounds: number
  /** The repetitions of each request in a round. */
  readonly times: number
}

const measure = (kind: string, databases: ReadonlyArray<DatabaseUrl>, { rounds, sizes, times }: Plan) =>
  Effect.gen(function* () {
    const scenes = yield* Effect.forEach(databases, (database, index) =>
      Effect.gen(function* () {
        const size = sizes[index] ?? 0
        const seededInSeconds = yield* seedDatabase(database, size, true)
        const url = database.kind === "sqlite" ? `sqlite:${database.filename}` : database.url
        const services: Context.Context<Store.Store> = yield* Layer.build(Layer.fresh(Store.layer({ url })))
        const indexedInSeconds = yield* Effect.provide(indexLetters, services)
        progress(JSON.stringify({ kind, size, seededInSeconds, indexedInSeconds }))
        return { size, services, millis: new Map(), results: new Map() } satisfies Scene
      })
    )
    for (let round = 0; round <= rounds; round++) {
      for (const name of Object.keys(questions)) for (const scene of scenes) yield* request(scene, name, round, times)
    }
    const stored = yield* Effect.forEach(scenes, ({ services }) => Effect.provide(countMessages, services))
    const found = yield* Effect.forEach(scenes, ({ services, size }) =>
      findsNewest(size).pipe(Effect.provide(services), Effect.provide(secrets))
    )
    const isSeeded = scenes.every(({ size }, index) => stored[index] === size)
    return { rows: rowsOf(kind, scenes), isSeeded, finds: found.every(Boolean) }
  }).pipe(Effect.scoped)

type Measured = Effect.Success<ReturnType<typeof measure>>

const onSqlite = async (plan: Plan): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-lists-"))
  const files = plan.sizes.map((size): DatabaseUrl => ({ kind: "sqlite", filename: join(folder, `${size}.db`) }))
  try {
    return await Effect.runPromise(measure("SQLite", files, plan))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const onPostgres = async (plan: Plan): Promise<Measured> => {
  const server = await startForBenchmarks()
  try {
    const databases: Array<DatabaseUrl> = []
    for (const _ of plan.sizes) databases.push({ kind: "postgres", url: await server.database() })
    return await Effect.runPromise(measure("Postgres", databases, plan))
  } finally {
    await server.stop()
  }
}

const run = async (plan: Plan, kinds: ReadonlyArray<string>): Promise<BenchResult> => {
  const measured: Array<Measured> = []
  if (kinds.includes("sqlite")) measured.push(await onSqlite(plan))
  if (kinds.includes("postgres")) measured.push(await onPostgres(plan))
  return {
    figures: { ...plan, questions: measured.flatMap(({ rows }) => rows) },
    checks: {
      "every mail is stored": measured.every(({ isSeeded }) => isSeeded),
      "search finds the only mail with a number": measured.every(({ finds }) => finds)
    }
  }
}

export const bench: Bench = {
  name: "lists",
  purpose: "Latency of lists, histories and search at two sizes of one tenant, on both databases.",
  usage: "[sizes] [rounds] [sqlite,postgres] [repetitions of a round]",
  sizes: {
    smallest: ["40,80", 1, "sqlite,postgres", 2],
    small: ["1000,10000", 2, "sqlite,postgres", 20],
    full: ["10000,1000000", 5, "sqlite,postgres", 60]
  },
  run: (args) =>
    run({ sizes: listAt(args, 0).map(Number), rounds: numberAt(args, 1), times: numberAt(args, 3) }, listAt(args, 2))
}
