import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Database } from "../../src/Database.ts"
import { layer, memory } from "../../src/Sqlite.ts"

const pairs = Effect.gen(function* () {
  const database = yield* Database
  yield* database.sql.unsafe("CREATE TABLE pairs (name TEXT PRIMARY KEY, value INTEGER NOT NULL)")
  const { command, query, whole } = database
  return {
    whole,
    insert: command("INSERT INTO pairs (name, value) VALUES (?, ?)"),
    list: query<{ readonly name: string }>("SELECT name FROM pairs ORDER BY name")
  }
})

describe("a statement without a result that SQLite rejects", () => {
  it.effect("fails the transaction that contains it, and nothing of the transaction is stored", () =>
    Effect.gen(function* () {
      const { insert, list, whole } = yield* pairs
      yield* insert("a", 1)
      const exit = yield* Effect.exit(whole(Effect.andThen(insert("b", 2), insert("a", 3))))
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(yield* list(), [{ name: "a" }])
    }).pipe(Effect.provide(layer({ filename: memory })))
  )
})
