import { describe, expect, it } from "vitest"
import { FairQueue } from "../../src/parse/FairQueue.ts"

const any = (): boolean => true

describe("FairQueue", () => {
  it("selects the flow with the least processing time", () => {
    const queue = new FairQueue<string>(10)
    for (const item of ["a1", "a2", "a3"]) queue.push("a", item, 0)
    queue.push("b", "b1", 0)
    expect(queue.take(any, 0)).toBe("a1")
    queue.charge("a", 100, 0)
    expect([queue.take(any, 0), queue.take(any, 0), queue.take(any, 0), queue.take(any, 0)]).toEqual([
      "b1",
      "a2",
      "a3",
      undefined
    ])
  })

  it("reduces the processing time of a flow over time", () => {
    const queue = new FairQueue<string>(10)
    queue.charge("a", 1_000, 0)
    expect(queue.usedBy("a", 10_000)).toBe(500)
    queue.push("a", "a1", 100_000)
    queue.push("b", "b1", 100_000)
    queue.charge("b", 10, 100_000)
    expect(queue.take(any, 100_000)).toBe("a1")
  })

  it("skips items that may not start now", () => {
    const queue = new FairQueue<string>(10)
    queue.push("a", "heavy", 0)
    queue.push("b", "light", 0)
    queue.charge("b", 10, 0)
    expect(queue.take((item) => item !== "heavy", 0)).toBe("light")
    expect(queue.take((item) => item !== "heavy", 0)).toBeUndefined()
    expect(queue.size).toBe(1)
  })

  it("takes more items of one flow, in order, up to the first rejected one", () => {
    const queue = new FairQueue<string>(10)
    for (const item of ["a1", "a2", "a3", "large", "a4"]) queue.push("a", item, 0)
    queue.push("b", "b1", 0)
    expect(queue.take(any, 0)).toBe("a1")
    expect(queue.takeMore("a", 1, any)).toEqual(["a2"])
    expect(queue.takeMore("a", 10, (item) => item !== "large")).toEqual(["a3"])
    expect(queue.takeMore("c", 10, any)).toEqual([])
    expect([queue.size, queue.waitingOf("a"), queue.waitingOf("c")]).toEqual([3, 2, 0])
  })

  it("rejects items beyond its limit, and forgets removed ones", () => {
    const queue = new FairQueue<string>(2)
    expect([queue.push("a", "1", 0), queue.push("b", "2", 0), queue.push("c", "3", 0)]).toEqual([true, true, false])
    queue.remove("a", "1")
    expect(queue.push("c", "3", 0)).toBe(true)
    expect([queue.take(any, 0), queue.take(any, 0), queue.take(any, 0)]).toEqual(["2", "3", undefined])
  })
})
