import { describe, expect, it } from "vitest"
import {
  applyConsentChange,
  allNumbers,
  isOptedOut,
  type OptOut,
  maxConsentHistory
} from "../../../src/domain/consent/OptOut.ts"

const wish = (ownPhone: string, optedOut: boolean, at: number): OptOut => ({
  tenantId: "acme",
  phone: "+15550100001",
  ownPhone,
  optedOut,
  source: "keyword",
  at,
  evidence: null,
  history: []
})

describe("an opt-out", () => {
  it("applies to the number that was written to, or to all numbers", () => {
    expect(isOptedOut([], "+1")).toBe(false)
    expect(isOptedOut([wish("+1", true, 1)], "+1")).toBe(true)
    expect(isOptedOut([wish("+1", true, 1)], "+2")).toBe(false)
    expect(isOptedOut([wish(allNumbers, true, 1)], "+2")).toBe(true)
    expect(isOptedOut([wish(allNumbers, true, 1)], null)).toBe(true)
  })

  it("follows the latest request, and wins over a simultaneous opt-in", () => {
    expect(isOptedOut([wish(allNumbers, true, 1), wish("+1", false, 2)], "+1")).toBe(false)
    expect(isOptedOut([wish("+1", false, 1), wish(allNumbers, true, 2)], "+1")).toBe(true)
    expect(isOptedOut([wish("+1", false, 1), wish(allNumbers, true, 1)], "+1")).toBe(true)
  })

  it("keeps a bounded history of changes without repetitions", () => {
    const first = applyConsentChange(null, { optedOut: true, source: "wording", at: 1 })
    expect(first).toEqual({ optedOut: true, source: "wording", at: 1, evidence: null, history: [] })
    const known: OptOut = { ...wish("+1", true, 1), source: "wording" }
    expect(applyConsentChange(known, { optedOut: true, source: "keyword", at: 2 })).toBe(known)
    const back = applyConsentChange(known, { optedOut: false, source: "keyword", at: 2 })
    expect(back.history).toEqual([{ optedOut: true, source: "wording", at: 1 }])
    const times = Array.from({ length: 198 }, (_, index) => index + 2)
    const changing = times.reduce<OptOut>(
      (was, at) =>
        Object.assign({ ...known }, applyConsentChange(was, { optedOut: at % 2 === 1, source: "keyword", at })),
      known
    )
    expect(changing.history).toHaveLength(maxConsentHistory)
    expect(changing.history[0]?.at).toBe(198)
  })
})
