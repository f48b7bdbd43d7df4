import { inMemoryIds } from "@leadloom/testkit/memory/Ids"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { isId } from "../../../src/domain/Id.ts"
import { Ids } from "../../../src/port/system/Ids.ts"

const many = (count: number) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    return yield* Effect.forEach(Array.from({ length: count }), () => ids.next("msg"))
  })

const zeros = (length: number): Uint8Array => new Uint8Array(length)
const ones = (length: number): Uint8Array => new Uint8Array(length).fill(0xff)

describe("Ids", () => {
  it.effect("gives ids that rise and never repeat within one millisecond, whatever the random source gives", () =>
    Effect.gen(function* () {
      const given = yield* many(5_000)
      expect(new Set(given).size).toBe(5_000)
      expect(given.toSorted()).toEqual(given)
      expect(given.every((id) => isId("msg", id))).toBe(true)
    }).pipe(Effect.provide(Ids.layer(ones)))
  )

  it.effect("keeps rising when the clock is set back", () =>
    Effect.gen(function* () {
      const ids = yield* Ids
      yield* TestClock.setTime(1_000_000)
      const first = yield* ids.next("con")
      yield* TestClock.setTime(10)
      const second = yield* ids.next("con")
      expect(second > first).toBe(true)
    }).pipe(Effect.provide(Ids.layer(zeros)))
  )

  it.effect("takes the time from the clock and the rest from the random source", () =>
    Effect.gen(function* () {
      const ids = yield* Ids
      yield* TestClock.setTime(0x0189_0a5d_ac96)
      expect(yield* ids.next("con")).toBe("con_01h455vb4pezzvzzzzzzzzzzzz")
    }).pipe(Effect.provide(Ids.layer(ones)))
  )

  it.effect("gives the same ids on every run from the memory layer", () =>
    Effect.gen(function* () {
      const ids = yield* Ids
      const given = [yield* ids.next("con"), yield* ids.next("lead"), yield* ids.next("con")]
      expect(given).toEqual([
        "con_0000000000e00r000000000000",
        "lead_0000000000e018000000000000",
        "con_0000000000e01r000000000000"
      ])
    }).pipe(Effect.provide(inMemoryIds))
  )
})
