import { describe, expect, it } from "vitest"
import { holdoutPosition, isHeldOut } from "../../../src/domain/sequence/Holdout.ts"

const [one, two] = ["con_00000000000000000000000001", "con_00000000000000000000000002"]
const [first, second] = ["seq_00000000000000000000000001", "seq_00000000000000000000000002"] as const

describe("the position of a contact", () => {
  // FROZEN: computed with another implementation (Python, hashlib). A change would move contacts between groups.
  it.each([
    ["acme", first, one, 4_053_981_233],
    ["acme", second, one, 3_641_002_667],
    ["other", first, one, 1_096_053_844],
    ["acme", first, two, 1_541_817_375]
  ] as const)("of %s %s %s is stable", (tenantId, sequenceId, contactId, bits) => {
    expect(holdoutPosition({ tenantId, sequenceId, contactId })).toBe((bits / 2 ** 32) * 100)
  })

  it("puts about the requested share into the group, and a higher share only adds contacts", () => {
    const contacts = Array.from({ length: 2_000 }, (_, number) => `con_${String(number).padStart(26, "0")}`)
    const groupOf = (holdoutPercent: number) =>
      contacts.filter((contactId) => isHeldOut({ tenantId: "acme", sequenceId: first, contactId, holdoutPercent }))
    const [none, few, more] = [groupOf(0), groupOf(10), groupOf(30)]
    expect([none.length, few.length, more.length]).toEqual([0, expect.any(Number), expect.any(Number)])
    expect(few.length / contacts.length).toBeCloseTo(0.1, 1)
    expect(more.length / contacts.length).toBeCloseTo(0.3, 1)
    expect(more).toEqual(expect.arrayContaining(few))
  })
})
