import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Database } from "../../src/Database.ts"
import { layer, memory } from "../../src/Sqlite.ts"

const pairs = Effect.gen(function* () {
  const database = yield* Database
  yield* database.sql.unsafe("CREATE TABLE pairs (name TEXT PRIMARY KEY, value INTEGER NOT NULL)")
  const { command, commandEach, query, whole } = database
  return {
    whole,
    insertEach: commandEach("INSERT INTO pairs (name, value) VALUES (?, ?)"),
    names: query("SELECT name FROM pairs ORDER BY name", (rows: ReadonlyArray<{ readonly name: string }>) =>
      rows.map(({ name }) => name).join(" ")
    ),
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

describe("a statement for several sets of parameters", () => {
  it.effect("runs once for each set, alone and in a transaction", () =>
    Effect.gen(function* () {
      const { insertEach, names, whole } = yield* pairs
      yield* insertEach([
        ["a", 1],
        ["b", 2]
      ])
      yield* whole(
        Effect.andThen(
          insertEach([
            ["c", 3],
            ["d", 4]
          ]),
          insertEach([])
        )
      )
      assert.strictEqual(yield* names(), "a b c d")
    }).pipe(Effect.provide(layer({ filename: memory })))
  )

  it.effect("fails its transaction if one set fails, and stores none", () =>
    Effect.gen(function* () {
      const { insertEach, names, whole } = yield* pairs
      const exit = yield* Effect.exit(
        whole(
          insertEach([
            ["a", 1],
            ["a", 2],
            ["b", 3]
          ])
        )
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(yield* whole(names()), "")
    }).pipe(Effect.provide(layer({ filename: memory })))
  )
})
