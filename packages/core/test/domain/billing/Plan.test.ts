import { describe, expect, it } from "vitest"
import { capsOf, includesPlan, noOverrides, planCaps, plans } from "../../../src/domain/billing/Plan.ts"

describe("a plan", () => {
  it("includes itself and everything smaller", () => {
    expect(plans.filter((plan) => includesPlan(plan, "growth"))).toEqual(["growth", "scale"])
  })

  it("has more of everything than the one before", () => {
    for (const kind of ["actions", "ai_calls"] as const) {
      const caps = plans.map((plan) => planCaps[plan][kind])
      expect(caps).toEqual(caps.toSorted((one, other) => one - other))
      expect(new Set(caps).size).toBe(plans.length)
    }
    expect(planCaps.trial).toEqual({ actions: 500, ai_calls: 200 })
  })

  it("gives way to what a tenant has agreed, also to nothing at all", () => {
    expect(capsOf({ plan: "starter", capOverrides: noOverrides })).toEqual(planCaps.starter)
    expect(capsOf({ plan: "scale", capOverrides: { actions: 0, ai_calls: null } })).toEqual({
      actions: 0,
      ai_calls: planCaps.scale.ai_calls
    })
  })
})
