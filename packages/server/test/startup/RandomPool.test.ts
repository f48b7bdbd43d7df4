import { describe, expect, it } from "vitest"
import { randomPool } from "../../src/startup/RandomPool.ts"

describe("random bytes", () => {
  it("have the requested length, even beyond the pool", () => {
    const random = randomPool()
    for (const length of [0, 1, 10, 32, 8_191, 8_192, 8_193, 100_000]) expect(random(length).length).toBe(length)
  })

  it("never repeat, over many refills", () => {
    const random = randomPool()
    const drawn = Array.from({ length: 20_000 }, () => Buffer.from(random(10)).toString("hex"))
    expect(new Set(drawn).size).toBe(drawn.length)
  })

  it("are not shared between callers", () => {
    const random = randomPool()
    const mine = random(16)
    const before = Array.from(mine)
    random(16).fill(7)
    expect(Array.from(mine)).toEqual(before)
    mine.fill(9)
    expect(Array.from(random(16))).not.toEqual(Array.from(mine))
  })

  it("use every value of a byte about equally often", () => {
    const counts = new Uint32Array(256)
    for (const byte of randomPool()(256_000)) counts[byte] = (counts[byte] ?? 0) + 1
    expect(Math.min(...counts)).toBeGreaterThan(800)
    expect(Math.max(...counts)).toBeLessThan(1_200)
  })
})
