import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Identity, identityKey } from "../../../src/domain/contact/Identity.ts"
import { type Holder, resolveSender } from "../../../src/domain/contact/Resolve.ts"

const email: Identity = { kind: "email", value: "ann@example.com" }
const phone: Identity = { kind: "phone", value: "+525512345678" }
const external: Identity = { kind: "external", value: "77", source: "crm" }

const anyIdentity = fc.record({
  kind: fc.constantFrom("email" as const, "phone" as const),
  value: fc.constantFrom("a", "b", "c")
})
/** Each contact has one creation time, as in a store. */
const anyHolder = fc
  .record({ identity: anyIdentity, n: fc.integer({ min: 0, max: 4 }) })
  .map(({ identity, n }): Holder => ({ identity, contact: { contactId: `con_${n}`, createdAt: (n * 7) % 3 } }))

describe("resolveSender", () => {
  it("makes a new contact with every identity when nobody holds one", () => {
    expect(resolveSender([email, phone, email], [])).toEqual({ use: null, add: [email, phone], suggestMerge: [] })
  })

  it("uses the holder and adds what nobody holds", () => {
    const holders: ReadonlyArray<Holder> = [{ identity: email, contact: { contactId: "con_1", createdAt: 5 } }]
    expect(resolveSender([email, external], holders)).toEqual({
      use: expect.objectContaining({ contactId: "con_1" }),
      add: [external],
      suggestMerge: []
    })
  })

  it("lets the oldest win, leaves the others as they are and suggests to merge them", () => {
    const holders: ReadonlyArray<Holder> = [
      { identity: email, contact: { contactId: "con_young", createdAt: 9 } },
      { identity: phone, contact: { contactId: "con_old", createdAt: 2 } },
      { identity: external, contact: { contactId: "con_young", createdAt: 9 } }
    ]
    expect(resolveSender([email, phone, external], holders)).toEqual({
      use: expect.objectContaining({ contactId: "con_old" }),
      add: [],
      suggestMerge: [
        {
          into: "con_old",
          from: "con_young",
          reason: "One sender used the phone of one contact and the email of the other."
        }
      ]
    })
  })

  it("finds a contact by another spelling of the number and adds the new spelling", () => {
    const stored: Identity = { kind: "phone", value: "+5215512345678" }
    const holders: ReadonlyArray<Holder> = [{ identity: stored, contact: { contactId: "con_1", createdAt: 1 } }]
    expect(resolveSender([phone], holders)).toEqual({
      use: expect.objectContaining({ contactId: "con_1" }),
      add: [phone],
      suggestMerge: []
    })
  })

  it("does not depend on the order in which holders are found", () => {
    fc.assert(
      fc.property(fc.array(anyIdentity), fc.array(anyHolder), (identities, holders) => {
        const one = resolveSender(identities, holders)
        const other = resolveSender(identities, holders.toReversed())
        expect(other.use).toEqual(one.use)
        expect(other.suggestMerge.map((pair) => pair.from)).toEqual(one.suggestMerge.map((pair) => pair.from))
      })
    )
  })

  it("uses a holder whenever there is one, never adds what is held and names every other holder once", () => {
    fc.assert(
      fc.property(fc.array(anyIdentity), fc.array(anyHolder), (identities, holders) => {
        const { use, add, suggestMerge } = resolveSender(identities, holders)
        const held = new Set(holders.map((holder) => identityKey(holder.identity)))
        const keys = add.map(identityKey)
        expect(keys.some((key) => held.has(key))).toBe(false)
        expect(new Set([...keys, ...held])).toEqual(new Set([...identities.map(identityKey), ...held]))
        const named = [...(use === null ? [] : [use.contactId]), ...suggestMerge.map((pair) => pair.from)]
        expect(named.toSorted()).toEqual([...new Set(holders.map(({ contact }) => contact.contactId))].toSorted())
        const ages = holders.map(({ contact }) => contact.createdAt)
        if (use !== null) expect(use.createdAt).toBe(Math.min(...ages))
      })
    )
  })
})
