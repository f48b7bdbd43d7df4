import { assert, layer } from "@effect/vitest"
import { Objects, putStream } from "@leadloom/core/internal/port/system/Objects"
import { Effect, type Layer, Stream } from "effect"
import { freshTenant } from "../Records.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Keys that other programs would read as paths. */
const oddKeys = [
  "../../../../etc/passwd",
  "..",
  ".",
  "",
  "/absolute",
  "a/../../b",
  "C:\\temp",
  "nul\0byte",
  "%2e%2e%2f",
  "Gr\u00fc\u00dfe \ud83d\udc4b",
  "half \ud83d",
  "a b?c#d&e+f",
  "raw_A",
  "raw_a"
]

/** Tests the port `Objects` on any storage. */
export const objectsSuite = (name: string, objects: Layer.Layer<Objects, unknown>): void => {
  layer(objects)(`Objects in ${name}`, (it) => {
    it.effect("are returned byte by byte, including an empty object", () =>
      Effect.gen(function* () {
        const { get, put } = yield* Objects
        const tenantId = freshTenant()
        const all = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256)
        yield* put(tenantId, "raw_all", all)
        yield* put(tenantId, "raw_none", new Uint8Array())
        assert.deepStrictEqual(Array.from((yield* get(tenantId, "raw_all")) ?? []), Array.from(all))
        assert.strictEqual((yield* get(tenantId, "raw_none"))?.length, 0)
      })
    )
    it.effect("can arrive as a stream, and do not exist if the stream fails", () =>
      Effect.gen(function* () {
        const { get } = yield* Objects
        const tenantId = freshTenant()
        const pieces = Stream.fromIterable(["one ", "two ", "three"].map(bytesOf))
        yield* putStream(tenantId, "upl_1", pieces)
        assert.strictEqual(Buffer.from((yield* get(tenantId, "upl_1")) ?? []).toString(), "one two three")
        const broken = Stream.concat(pieces, Stream.fail("broken off" as const))
        assert.strictEqual(yield* Effect.flip(putStream(tenantId, "upl_2", broken)), "broken off")
        assert.isNull(yield* get(tenantId, "upl_2"))
      })
    )
    it.effect("are null if missing, and can be removed repeatedly", () =>
      Effect.gen(function* () {
        const { get, put, remove } = yield* Objects
        const tenantId = freshTenant()
        assert.isNull(yield* get(tenantId, "raw_1"))
        yield* remove(tenantId, "raw_1")
        yield* put(tenantId, "raw_1", bytesOf("one"))
        yield* remove(tenantId, "raw_1")
        yield* remove(tenantId, "raw_1")
        assert.isNull(yield* get(tenantId, "raw_1"))
      })
    )
    it.effect("replace each other under the same key, even concurrently, and are never incomplete", () =>
      Effect.gen(function* () {
        const { get, put } = yield* Objects
        const tenantId = freshTenant()
        const versions = Array.from({ length: 20 }, (_, index) => bytesOf(String(index % 10).repeat(40_000 + index)))
        yield* Effect.forEach(versions, (bytes) => put(tenantId, "raw_1", bytes), { concurrency: "unbounded" })
        const found = Buffer.from((yield* get(tenantId, "raw_1")) ?? []).toString()
        assert.include(
          versions.map((bytes) => Buffer.from(bytes).toString()),
          found
        )
        yield* put(tenantId, "raw_1", bytesOf("last"))
        assert.strictEqual(Buffer.from((yield* get(tenantId, "raw_1")) ?? []).toString(), "last")
      })
    )
    it.effect("belong to one tenant", () =>
      Effect.gen(function* () {
        const { get, put, remove } = yield* Objects
        const [one, other] = [freshTenant(), freshTenant()]
        yield* put(one, "raw_1", bytesOf("mine"))
        assert.isNull(yield* get(other, "raw_1"))
        yield* remove(other, "raw_1")
        assert.isNotNull(yield* get(one, "raw_1"))
        yield* put(`${one}/raw_1`, "x", bytesOf("not mine"))
        assert.isNull(yield* get(one, "raw_1/x"))
      })
    )
    it.effect("can have any key, and do not affect objects with other keys", () =>
      Effect.gen(function* () {
        const { get, put } = yield* Objects
        const tenantId = freshTenant()
        yield* Effect.forEach(oddKeys, (key) => put(tenantId, key, bytesOf(`of ${JSON.stringify(key)}`)))
        const found = yield* Effect.forEach(oddKeys, (key) => get(tenantId, key))
        assert.deepStrictEqual(
          found.map((bytes) => Buffer.from(bytes ?? []).toString()),
          oddKeys.map((key) => `of ${JSON.stringify(key)}`)
        )
      })
    )
  })
}
