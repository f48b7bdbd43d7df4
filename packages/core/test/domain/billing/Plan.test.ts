import { describe, expect, it } from "vitest"
import { capsOf, includesPlan, noOverrides, planCaps, plans } from "../../../src/domain/billing/Plan.ts"

describe("a plan", () => {
  it("includes itself and all smaller plans", () => {
    expect(plans.filter((plan) => includesPlan(plan, "growth"))).toEqual(["growth", "scale"])
  })

  it("has higher caps than the smaller plan", () => {
    for (const kind of ["actions", "ai_calls"] as const) {
      const caps = plans.map((plan) => planCaps[plan][kind])
      expect(caps).toEqual(caps.toSorted((one, other) => one - other))
      expect(new Set(caps).size).toBe(plans.length)
    }
    expect(planCaps.trial).toEqual({ actions: 500, ai_calls: 200 })
  })

  it("has other caps if they are agreed, including a cap of 0", () => {
    expect(capsOf({ plan: "starter", capOverrides: noOverrides })).toEqual(planCaps.starter)
    expect(capsOf({ plan: "scale", capOverrides: { actions: 0, ai_calls: null } })).toEqual({
      actions: 0,
      ai_calls: planCaps.scale.ai_calls
    })
  })
})
