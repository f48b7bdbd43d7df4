import { assert, layer } from "@effect/vitest"
import type { CrmLocation } from "@leadloom/core/internal/domain/crm/Location"
import { CrmCalls } from "@leadloom/core/internal/port/repository/crm/CrmCalls"
import { CrmLocations } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"

const location = (locationId: string, tenantId: string, more: Partial<CrmLocation> = {}): CrmLocation => ({
  locationId,
  tenantId,
  sessions: "off",
  createdAt: 1,
  updatedAt: 1,
  ...more
})

/** Tests the port `CrmLocations` on a store. */
export const crmLocationsSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`CrmLocations on ${name}`, (it) => {
    it.effect("finds the tenant of a location by its exact id", () =>
      Effect.gen(function* () {
        const { find, put, tenantOf } = yield* CrmLocations
        const kept = location("Loc1", "acme", { sessions: "sso" })
        assert.deepStrictEqual(yield* put(kept), kept)
        assert.deepStrictEqual(yield* find("Loc1"), kept)
        assert.strictEqual(yield* tenantOf("Loc1"), "acme")
        assert.isNull(yield* find("loc1"))
        assert.isNull(yield* tenantOf("Loc"))
      })
    )

    it.effect("updates a location of the same tenant and keeps its creation time", () =>
      Effect.gen(function* () {
        const { find, put } = yield* CrmLocations
        yield* put(location("again", "acme"))
        const changed = location("again", "acme", { sessions: "open", createdAt: 9, updatedAt: 9 })
        assert.deepStrictEqual(yield* put(changed), { ...changed, createdAt: 1 })
        assert.deepStrictEqual(yield* find("again"), { ...changed, createdAt: 1 })
      })
    )

    it.effect("assigns a location to only one tenant, even for two concurrent requests", () =>
      Effect.gen(function* () {
        const { find, put, remove } = yield* CrmLocations
        const taken = yield* Effect.forEach(
          ["one", "two", "three"],
          (tenantId) =>
            put(location("wanted", tenantId)).pipe(
              Effect.as(null),
              Effect.catchTag("LocationTaken", ({ locationId }) => Effect.succeed(locationId))
            ),
          { concurrency: 3 }
        )
        assert.strictEqual(taken.filter((refused) => refused === "wanted").length, 2)
        const holder = (yield* find("wanted"))?.tenantId ?? ""
        const other = holder === "one" ? "two" : "one"
        yield* remove("wanted")
        assert.strictEqual((yield* put(location("wanted", other))).tenantId, other)
      })
    )

    it.effect("lists all locations, and those of a tenant, by id", () =>
      Effect.gen(function* () {
        const { list, ofTenant, put, remove } = yield* CrmLocations
        for (const id of ["zz_b", "zz_a"]) yield* put(location(id, "lists"))
        yield* put(location("zz_c", "other"))
        const ids = (all: ReadonlyArray<CrmLocation>) => all.map(({ locationId }) => locationId)
        assert.deepStrictEqual(ids(yield* ofTenant("lists")), ["zz_a", "zz_b"])
        assert.deepStrictEqual(
          ids(yield* list).filter((id) => id.startsWith("zz_")),
          ["zz_a", "zz_b", "zz_c"]
        )
        yield* remove("zz_a")
        assert.deepStrictEqual(ids(yield* ofTenant("lists")), ["zz_b"])
        const gone = yield* Effect.flip(remove("zz_a"))
        assert.strictEqual(gone._tag, "LocationNotFound")
      })
    )
  })

/** Tests the port `CrmCalls` on a store. */
export const crmCallsSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`CrmCalls on ${name}`, (it) => {
    it.effect("returns the first time of a call until it expires, and which call is the first", () =>
      Effect.gen(function* () {
        const { note } = yield* CrmCalls
        const first = (firstAt: number) => ({ firstAt, isFirst: true })
        const repeated = (firstAt: number) => ({ firstAt, isFirst: false })
        assert.deepStrictEqual(yield* note("acme", "a", 1_000, 400), first(1_000))
        assert.deepStrictEqual(yield* note("acme", "a", 1_500, 900), repeated(1_000))
        // Two equal calls in one millisecond.
        assert.deepStrictEqual(yield* note("acme", "b", 1_500, 900), first(1_500))
        assert.deepStrictEqual(yield* note("acme", "b", 1_500, 900), repeated(1_500))
        assert.deepStrictEqual(yield* note("other", "a", 1_500, 900), first(1_500))
        // A call expires by its first time. A repetition does not extend it.
        assert.deepStrictEqual(yield* note("acme", "a", 1_600, 1_000), first(1_600))
        assert.deepStrictEqual(yield* note("acme", "a", 1_600, 1_000), repeated(1_600))
        assert.deepStrictEqual(yield* note("acme", "b", 1_700, 1_100), repeated(1_500))
      })
    )

    it.effect.each([0, 1])("names one of 20 concurrent calls as the first; their times differ by %i ms", (step) =>
      Effect.gen(function* () {
        const { note } = yield* CrmCalls
        const times = Array.from({ length: 20 }, (_, index) => 10_000 + index * step)
        const noted = yield* Effect.forEach(times, (now) => note("acme", `crowd ${step}`, now, 5_000), {
          concurrency: 20
        })
        assert.strictEqual(new Set(noted.map(({ firstAt }) => firstAt)).size, 1)
        assert.strictEqual(noted.filter(({ isFirst }) => isFirst).length, 1)
      })
    )
  })
