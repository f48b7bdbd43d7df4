import { reactsTo } from "@leadloom/core/internal/domain/rule/ReactsTo"
import { describe, expect, it } from "vitest"

const scored = (from: number | null, to: number) =>
  reactsTo({ type: "score_reached", score: 70 }, { type: "score_reached", field: "score", from, to, task: null })

const moved = (trigger: { readonly from?: "open" | "won"; readonly to?: "engaged" | "won" }, from: string | null) =>
  reactsTo(
    { type: "lead_state_changed", ...trigger },
    { type: "lead_state_changed", field: "state", from, to: "engaged", task: null }
  )

describe("a trigger that is a change", () => {
  it.each([
    [null, 70, true],
    [69, 70, true],
    [69.5, 90, true],
    [null, 69, false],
    [70, 71, false],
    [90, 70, false]
  ])("score_reached 70 from %s to %s: %s", (from, to, expected) => expect(scored(from, to)).toBe(expected))

  it("compares the states that it names", () => {
    expect(moved({}, null)).toBe(true)
    expect(moved({ to: "engaged" }, null)).toBe(true)
    expect(moved({ from: "open" }, "open")).toBe(true)
    expect(moved({ from: "open" }, null)).toBe(false)
    expect(moved({ from: "won", to: "engaged" }, "open")).toBe(false)
    expect(moved({ to: "won" }, "open")).toBe(false)
  })
})
