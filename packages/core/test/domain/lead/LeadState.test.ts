import { describe, expect, it } from "vitest"
import { afterContactWrote, type LeadState, leadStates, mayTransition } from "../../../src/domain/lead/LeadState.ts"

const legal: ReadonlySet<string> = new Set([
  "open → engaged",
  "engaged → qualified",
  "qualified → won",
  "qualified → lost",
  "open → archived",
  "engaged → archived",
  "qualified → archived",
  "won → archived",
  "lost → archived",
  "lost → open",
  "archived → open"
])
const pairs = leadStates.flatMap((from) => leadStates.map((to) => [from, to] as const))

describe("mayTransition", () => {
  it.each(pairs)("decides %s → %s according to the documented table", (from, to) => {
    const expected = legal.has(`${from} → ${to}`)
    const check = mayTransition(from, to)
    expect(check.ok).toBe(expected)
    if (!check.ok) expect(check.legal).toEqual(leadStates.filter((state) => legal.has(`${from} → ${state}`)))
  })
})

describe("afterContactWrote", () => {
  it.each<[LeadState, LeadState]>([
    ["open", "open"],
    ["engaged", "engaged"],
    ["qualified", "qualified"],
    ["won", "won"],
    ["lost", "open"],
    ["archived", "open"]
  ])("turns %s into %s", (before, after) => {
    expect(afterContactWrote(before)).toBe(after)
  })
})
