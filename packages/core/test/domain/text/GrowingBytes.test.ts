import { describe, expect, it } from "vitest"
import { GrowingBytes } from "../../../src/domain/text/GrowingBytes.ts"

describe("growing bytes", () => {
  it("copies each byte a constant number of times, for chunks of any size", () => {
    const bytes = new GrowingBytes()
    const capacities = new Set<number>()
    for (let at = 0; at < 1_000_000; at += 1) {
      bytes.append(Uint8Array.of(at % 251))
      capacities.add(bytes.capacity)
    }
    // Every capacity except the last was copied once into the next one.
    const copied = [...capacities].reduce((total, capacity) => total + capacity, 0)
    expect(copied).toBeLessThan(4 * 1_000_000)
    expect(bytes.take().every((byte, at) => byte === at % 251)).toBe(true)
  })

  it("starts again after its bytes are taken, and leaves those unchanged", () => {
    const bytes = new GrowingBytes()
    bytes.append(Uint8Array.of(1, 2))
    const first = bytes.take()
    bytes.append(Uint8Array.of(3))
    expect([first, bytes.length, bytes.take(), bytes.capacity]).toEqual([Uint8Array.of(1, 2), 1, Uint8Array.of(3), 0])
  })
})
