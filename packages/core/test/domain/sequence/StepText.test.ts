import { describe, expect, it } from "vitest"
import { channelTexts, shareOf, variantAt } from "../../../src/domain/sequence/StepText.ts"

const tested = {
  weight: 2,
  variants: [
    { name: "short", weight: 1, body: "Short" },
    { name: "long", body: "Long" }
  ] as const
}

describe("the choice of a text", () => {
  it("follows the published vector", () => {
    // The first four bytes of the SHA-256, computed with another implementation. A change would send other texts.
    expect([
      shareOf("acme", "enr_01jd0000000000000000000000", "hello") * 2 ** 32,
      shareOf("acme", "enr_01jd0000000000000000000001", "hello") * 2 ** 32,
      shareOf("other", "enr_01jd0000000000000000000000", "hello") * 2 ** 32,
      shareOf("acme", "enr_01jd0000000000000000000000", "last") * 2 ** 32
    ]).toEqual([1_972_492_972, 4_284_130_875, 4_075_380_225, 3_666_767_350])
  })

  it("gives each text its share, the own text first", () => {
    const names = [0, 0.25, 0.499, 0.5, 0.749, 0.75, 0.999].map((share) => variantAt(tested, share)?.name ?? "control")
    expect(names).toEqual(["control", "control", "control", "short", "short", "long", "long"])
    expect(variantAt({}, 0.999)).toBeNull()
  })

  it("divides enrolments by the weights", () => {
    const counts = new Map<string, number>()
    for (let number = 0; number < 4_000; number++) {
      const name = variantAt(tested, shareOf("acme", `enr_${number}`, "hello"))?.name ?? "control"
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    for (const [name, expected] of [
      ["control", 2_000],
      ["short", 1_000],
      ["long", 1_000]
    ] as const)
      expect(Math.abs((counts.get(name) ?? 0) - expected), name).toBeLessThan(150)
  })
})

describe("the texts of a step", () => {
  it("are those of its channels in their order, with the chosen text unless a channel has its own one", () => {
    const step = { channel: "email", subject: "Hello", body: "Own", fallback: [{ channel: "sms" }] } as const
    expect(channelTexts(step, null)).toEqual([
      { channel: "email", subject: "Hello", body: "Own", isChosen: true },
      { channel: "sms", subject: null, body: "Own", isChosen: true }
    ])
    const own = { ...step, fallback: [{ channel: "sms", body: "Text" }] } as const
    expect(channelTexts(own, { name: "short", body: "Short" })).toEqual([
      { channel: "email", subject: "Hello", body: "Short", isChosen: true },
      { channel: "sms", subject: null, body: "Text", isChosen: false }
    ])
  })
})
