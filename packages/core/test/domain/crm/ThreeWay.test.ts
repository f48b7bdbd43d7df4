import { noFields, type SyncedFields } from "@leadloom/core/internal/domain/crm/CrmContact"
import { mergeThreeWay, isEcho, isQuiet, saysSame } from "@leadloom/core/internal/domain/crm/ThreeWay"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const jo: SyncedFields = { name: "Jo", email: "jo@customer.example", phone: null, company: null, tags: ["VIP"] }
const agreed = { ours: jo, theirs: { ...jo, tags: ["vip"] }, sending: null }

describe("the synchronisation of two contacts", () => {
  it("changes nothing when no value changed, in any spelling", () => {
    const together = mergeThreeWay(jo, { ...jo, email: "JO@customer.example", tags: ["vip"] }, agreed, true)
    expect(together).toEqual({ local: jo, changes: {}, addTags: [], removeTags: [] })
    expect(isQuiet(together)).toBe(true)
  })

  it("sends our changes to the CRM, and applies the CRM's changes here", () => {
    const together = mergeThreeWay(
      { ...jo, name: "Jo Smith", tags: ["VIP", "roof"] },
      { ...jo, phone: "+14155550123", tags: ["vip", "kitchen"] },
      agreed,
      true
    )
    expect(together).toEqual({
      local: { ...jo, name: "Jo Smith", phone: "+14155550123", tags: ["VIP", "roof", "kitchen"] },
      changes: { name: "Jo Smith" },
      addTags: ["roof"],
      removeTags: []
    })
  })

  it("prefers the CRM when both changed, and removes tags on both sides", () => {
    const base = { ...agreed, ours: { ...jo, tags: ["a", "b"] }, theirs: { ...jo, tags: ["a", "b"] } }
    const together = mergeThreeWay(
      { ...jo, name: "Here", tags: ["a"] },
      { ...jo, name: "There", tags: ["b"] },
      base,
      true
    )
    expect(together).toEqual({
      local: { ...jo, name: "There", tags: [] },
      changes: {},
      addTags: [],
      removeTags: ["b"]
    })
  })

  it("applies no change of the CRM if the mode is one-way", () => {
    const together = mergeThreeWay({ ...jo, name: "Here" }, { ...jo, name: "There", tags: [] }, agreed, false)
    expect(together).toMatchObject({ local: { ...jo, name: "Here" }, changes: { name: "Here" } })
  })

  it("recognises its own pending value in a report of the CRM, and a later local change as new", () => {
    const base = { ...agreed, sending: { ...jo, name: "Sent", tags: ["VIP", "new"] } }
    const together = mergeThreeWay(
      { ...jo, name: "Later", tags: ["VIP"] },
      { ...jo, name: "Sent", tags: ["vip", "new"] },
      base,
      true
    )
    expect(together).toMatchObject({ local: { name: "Later", tags: ["VIP"] }, changes: { name: "Later" } })
  })

  it("never sends a company, because the CRM does not accept a change", () => {
    expect(isQuiet(mergeThreeWay({ ...jo, company: "Roofs" }, { ...jo, tags: ["vip"] }, agreed, true))).toBe(true)
  })

  const text = fc.option(fc.constantFrom("a", "b", "c"))
  const fields = fc.record({
    name: text,
    email: text,
    phone: text,
    company: text,
    tags: fc.uniqueArray(fc.constantFrom("x", "y", "z", "X"), { selector: (tag) => tag.toLowerCase() })
  })

  it("leaves no difference after one round, for any values", () => {
    fc.assert(
      fc.property(fields, fields, fields, fields, fc.option(fields), (local, remote, ours, theirs, sending) => {
        const first = mergeThreeWay(local, remote, { ours, theirs, sending }, true)
        // Simulates the CRM, which applies the changes in its own spelling.
        const remoteAfter: SyncedFields = {
          ...remote,
          ...first.changes,
          tags: [...remote.tags, ...first.addTags]
            .map((tag) => tag.toLowerCase())
            .filter((tag) => !first.removeTags.some((gone) => gone.toLowerCase() === tag))
        }
        const second = mergeThreeWay(
          first.local,
          remoteAfter,
          { ours: first.local, theirs: remoteAfter, sending: null },
          true
        )
        expect(isQuiet(second)).toBe(true)
        expect(saysSame(second.local, first.local)).toBe(true)
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("an echo", () => {
  it("is a value that the CRM already reported or that is being sent; a missing value is not", () => {
    const base = { ...agreed, sending: { ...jo, name: "Sent" } }
    expect(isEcho({ name: "Jo", tags: ["VIP"] }, base)).toBe(true)
    expect(isEcho({ name: "Sent" }, base)).toBe(true)
    expect(isEcho({ name: "Another" }, base)).toBe(false)
    expect(isEcho({ name: "Jo", tags: ["vip", "new"] }, base)).toBe(false)
    expect(isEcho({ tags: [] }, base)).toBe(false)
    expect(isEcho({ email: null }, base)).toBe(false)
    expect(isEcho({}, base)).toBe(false)
    expect(isEcho({ name: "Jo", smsOptOut: true }, base)).toBe(false)
    expect(isEcho({ name: "Jo", smsOptOut: false }, base)).toBe(true)
    expect(isEcho(noFields, { ...base, theirs: noFields })).toBe(true)
  })
})
