import { reactsTo } from "@leadloom/core/internal/domain/rule/ReactsTo"
import { describe, expect, it } from "vitest"

const leadId = "lead_00000000000000000000000001"

const scored = (from: number | null, to: number) =>
  reactsTo(
    { type: "score_reached", score: 70 },
    { type: "score_reached", leadId: null, field: "score", from, to, task: null }
  )

const moved = (trigger: { readonly from?: "open" | "won"; readonly to?: "engaged" | "won" }, from: string | null) =>
  reactsTo(
    { type: "lead_state_changed", ...trigger },
    { type: "lead_state_changed", leadId, field: "state", from, to: "engaged", task: null }
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

  it.each([
    [undefined, null, true],
    ["contact", null, true],
    ["lead", null, false],
    [undefined, leadId, false],
    ["contact", leadId, false],
    ["lead", leadId, true]
  ] as const)("field_changed of the entity %s reacts to the field of the lead %s: %s", (entity, changed, expected) => {
    const more = entity === undefined ? {} : { entity }
    const change = { leadId: changed, field: "plan", from: null, to: "2026-03-04", task: null }
    for (const type of ["field_changed", "date_reached"] as const) {
      expect(reactsTo({ type, field: "plan", ...more }, { ...change, type: "field_changed" })).toBe(expected)
      expect(reactsTo({ type, field: "other", ...more }, { ...change, type: "field_changed" })).toBe(false)
    }
  })

  it("compares the states that it names", () => {
    expect(moved({}, null)).toBe(true)
    expect(moved({ to: "engaged" }, null)).toBe(true)
    expect(moved({ from: "open" }, "open")).toBe(true)
    expect(moved({ from: "open" }, null)).toBe(false)
    expect(moved({ from: "won", to: "engaged" }, "open")).toBe(false)
    expect(moved({ to: "won" }, "open")).toBe(false)
  })
})
