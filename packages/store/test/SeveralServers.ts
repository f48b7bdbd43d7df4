import { randomBytes } from "node:crypto"
import { Ids } from "@leadloom/core/internal/port/system/Ids"
import { inMemoryEmailTransport } from "@leadloom/testkit/memory/EmailTransport"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { around } from "@leadloom/testkit/suite/Doubles"
import { type Context, Effect, Layer } from "effect"
import * as Store from "../src/Store.ts"
import { temporaryFile } from "./TemporaryStore.ts"

const openServer = (url: string) =>
  Layer.build(
    Layer.fresh(Layer.mergeAll(around, inMemoryEmailTransport([]), Ids.layer(randomBytes), Store.layer({ url })))
  )

type Server = Effect.Success<ReturnType<typeof openServer>>
type Services = Server extends Context.Context<infer R> ? R : never

/** Opens servers, and returns a function that runs an effect on the server of a number. */
const openServers = (urls: readonly [string, ...ReadonlyArray<string>]) =>
  Effect.gen(function* () {
    const [url, ...more] = urls
    const first = yield* openServer(url)
    const servers: ReadonlyArray<Server> = [first, ...(yield* Effect.all(more.map(openServer)))]
    return <A, E>(number: number, effect: Effect.Effect<A, E, Services>) =>
      Effect.provide(effect, servers[number % servers.length] ?? first)
  })

/** Three servers on one Postgres database, and one on a SQLite file, which permits only one. */
export const severalServers = [
  ["Postgres", Effect.flatMap(migratedDatabase, (url) => openServers([url, url, url]))],
  ["SQLite", Effect.flatMap(temporaryFile, (file) => openServers([`sqlite:${file}`]))]
] as const
