import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  emailIdentity,
  identitiesOf,
  type Identity,
  identityKey,
  lookupIdentities
} from "../../../src/domain/contact/Identity.ts"
import { parsePhone } from "../../../src/domain/address/Phone.ts"

describe("identitiesOf", () => {
  it("normalises each claim and scopes the external id by its source", () => {
    const claims = { email: " Ann@Example.COM ", phone: "(415) 555-0123", externalId: " 77 ", source: "crm" }
    expect(identitiesOf(claims, "US", parsePhone)).toEqual({
      identities: [
        { kind: "email", value: "ann@example.com" },
        { kind: "phone", value: "+14155550123" },
        { kind: "external", value: "77", source: "crm" }
      ],
      issues: []
    })
  })

  it("lists unreadable claims and keeps the others", () => {
    const claims = { email: "ann at example", phone: "+14155550123", externalId: "77" }
    const { identities, issues } = identitiesOf(claims, null, parsePhone)
    expect(identities).toEqual([{ kind: "phone", value: "+14155550123" }])
    expect(issues.map((issue) => issue.field)).toEqual(["email", "externalId"])
    expect(identitiesOf({ phone: "4155550123" }, null, parsePhone).issues.map((i) => i.field)).toEqual(["phone"])
    const long = { externalId: "x".repeat(256), source: "crm" }
    expect(identitiesOf(long, null, parsePhone).issues.map((i) => i.field)).toEqual(["externalId"])
  })

  it("accepts addresses and external ids of the maximum length", () => {
    const email = `${"x".repeat(249)}@b.co`
    expect(emailIdentity(email)?.value).toHaveLength(254)
    expect(emailIdentity(`x${email}`)).toBeNull()
    expect(identitiesOf({ externalId: "x".repeat(255), source: "crm" }, null, parsePhone).issues).toEqual([])
  })

  it("ignores empty, blank and absent claims", () => {
    const nothing = { identities: [], issues: [] }
    expect(identitiesOf({}, "US", parsePhone)).toEqual(nothing)
    expect(identitiesOf({ email: " ", phone: null, externalId: "", source: "crm" }, "US", parsePhone)).toEqual(nothing)
  })

  it.each(["", "a", "@b.co", "a@", "a@b@c", "a b@c.de", "Ann <a b>", "a@b.co,c@d.co", `${"x".repeat(250)}@b.co`])(
    "does not accept %j as an address",
    (text) => {
      expect(emailIdentity(text)).toBeNull()
    }
  )

  it("extracts an address from its brackets and accepts a local sender", () => {
    expect(emailIdentity("Ann <Ann@B.co>")).toEqual({ kind: "email", value: "ann@b.co" })
    expect(emailIdentity("root@localhost")).toEqual({ kind: "email", value: "root@localhost" })
  })

  it("never throws, for any claims", () => {
    const text = fc.option(fc.string({ unit: "binary" }), { nil: null })
    fc.assert(
      fc.property(text, text, text, text, text, (email, phone, externalId, source, country) => {
        const { identities, issues } = identitiesOf({ email, phone, externalId, source }, country, parsePhone)
        expect(identities.length + issues.length).toBeLessThanOrEqual(3)
      })
    )
  })
})

describe("identityKey", () => {
  it("differs for any two different identities", () => {
    const text = fc.stringMatching(/^[a:%]{0,4}$/u)
    const identity: fc.Arbitrary<Identity> = fc.oneof(
      fc.record({ kind: fc.constantFrom("email" as const, "phone" as const), value: text }),
      fc.record({ kind: fc.constant("external" as const), value: text, source: text })
    )
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        const same = a.kind === b.kind && a.value === b.value && a.source === b.source
        expect(identityKey(a) === identityKey(b)).toBe(same)
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("lookupIdentities", () => {
  it("returns both spellings of a phone number, and other identities unchanged", () => {
    const email: Identity = { kind: "email", value: "+525512345678@sms.mx" }
    const phone: Identity = { kind: "phone", value: "+525512345678" }
    expect(lookupIdentities([email, phone])).toEqual([email, phone, { kind: "phone", value: "+5215512345678" }])
  })
})
