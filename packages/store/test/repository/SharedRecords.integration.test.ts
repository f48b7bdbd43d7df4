import { assert, describe, it } from "@effect/vitest"
import type { StoredKey } from "@leadloom/core/internal/domain/access/StoredKey"
import { ApiKeys } from "@leadloom/core/internal/port/repository/tenant/ApiKeys"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { keyRecord, noon } from "@leadloom/testkit/suite/Records"
import { Clock, type Context, Effect, Layer } from "effect"
import { Database } from "../../src/Database.ts"
import { committedRecords } from "../../src/sql/CommittedRecords.ts"
import * as Store from "../../src/Store.ts"

type Server = Context.Context<Store.Store>

const key = keyRecord("acme", 1)

const find = Effect.flatMap(ApiKeys, (keys) => keys.findByHash(key.hash))

/** Changes the key without `ApiKeys`, so no server is notified. */
const changeUnnoticed = (column: "last_used_at" | "revoked_at", time: number) =>
  Effect.flatMap(Database, ({ query }) => query(`UPDATE api_keys SET ${column} = ? WHERE key_id = ?`)(time, key.keyId))

/** Ends when a server returns a record in memory: a change without a notification is then invisible. */
const usesMemory = (server: Server) => {
  let time = noon
  const compare = Effect.gen(function* () {
    yield* find
    yield* changeUnnoticed("last_used_at", ++time)
    return (yield* find)?.lastUsedAt !== time
  })
  return Effect.provide(Effect.repeat(compare, { until: (isKept) => isKept }), server)
}

/** Ends when a server returns the key in this state. */
const finds = (server: Server, isWanted: (found: StoredKey | null) => boolean) =>
  Effect.provide(Effect.repeat(find, { until: isWanted }), server)

const isRevoked = (found: StoredKey | null): boolean => found !== null && found.revokedAt !== null

/** Two servers on one database that keep the same key in memory. */
const twoServers = Effect.gen(function* () {
  const url = yield* migratedDatabase
  const server = Layer.build(Layer.fresh(Store.layer({ url })))
  const [one, other] = yield* Effect.all([server, server])
  yield* Effect.provide(
    Effect.flatMap(ApiKeys, (keys) => keys.insert(key)),
    one
  )
  yield* usesMemory(one)
  yield* usesMemory(other)
  return { one, other }
})

/** Time stands still, so no record in memory reaches its maximum age. */
const inStoppedTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.service(Clock.Clock), (clock) => {
    const stopped: Clock.Clock = Object.create(clock, { currentTimeMillisUnsafe: { value: () => noon } })
    return Effect.provideService(Effect.scoped(effect), Clock.Clock, stopped)
  })

describe("records in the memory of two servers", () => {
  it.live("follow a change on either server", () =>
    inStoppedTime(
      Effect.gen(function* () {
        const { one, other } = yield* twoServers
        const revoke = Effect.flatMap(ApiKeys, (keys) => keys.update({ ...key, revokedAt: noon }))
        yield* Effect.provide(revoke, one)
        assert.isTrue(isRevoked(yield* Effect.provide(find, one)))
        yield* finds(other, isRevoked)
      })
    )
  )

  it.live("are not used after the connection for notifications broke", () =>
    inStoppedTime(
      Effect.gen(function* () {
        const { one, other } = yield* twoServers
        const { query } = yield* Effect.provide(Effect.service(Database), one)
        yield* changeUnnoticed("revoked_at", noon).pipe(Effect.provide(one))
        assert.isFalse(isRevoked(yield* Effect.provide(find, other)))
        yield* query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`)()
        yield* finds(other, isRevoked)
        yield* usesMemory(other)
      })
    )
  )

  it.live("are not kept while notifications do not arrive", () =>
    inStoppedTime(
      Effect.gen(function* () {
        const { one } = yield* twoServers
        const database = yield* Effect.provide(Effect.service(Database), one)
        const deaf = {
          attach: () => undefined,
          notifyOthers: () => undefined,
          onNotification: () => undefined,
          connection: () => null
        }
        const records = committedRecords<number>("tests", { ...database, notifications: deaf })
        let reads = 0
        const read = Effect.sync(() => ++reads)
        assert.strictEqual(yield* records.get("a", read), 1)
        assert.strictEqual(yield* records.get("a", read), 2)
      })
    )
  )
})
