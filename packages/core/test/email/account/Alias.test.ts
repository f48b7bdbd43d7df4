import { describe, expect, it } from "vitest"
import {
  aliasLimit,
  checkAliases,
  isOnDomain,
  registrableDomain,
  discovered
} from "../../../src/email/account/Alias.ts"

const account = { accountEmail: "sales@acme.com", tenantDomain: "acme.com" }

describe("an alias", () => {
  it.each([
    ["acme.com", "acme.com"],
    ["mail.acme.com", "acme.com"],
    ["MAIL.Acme.co.uk", "acme.co.uk"],
    ["shop.github.io", "shop.github.io"],
    ["acme.test", "acme.test"],
    ["localhost", "localhost"]
  ])("at %s is on the domain that was registered as %s", (domain, registered) => {
    expect(registrableDomain(domain)).toBe(registered)
  })

  it.each([
    ["a@acme.com", "acme.com", true],
    ["a@mail.acme.com", "acme.com", true],
    ["a@acme.com", "mail.acme.com", true],
    ["a@acme.co.uk", "other.co.uk", false],
    ["a@evil-acme.com", "acme.com", false],
    ["a@acme.com.evil.example", "acme.com", false],
    ["a@one.github.io", "two.github.io", false],
    ["acme.com", "acme.com", false]
  ])("%s beside the tenant's %s: %s", (email, domain, allowed) => {
    expect(isOnDomain(email, domain)).toBe(allowed)
  })

  it("is kept once, normalised, and never the account itself", () => {
    const given = ["Quotes@Acme.com", "quotes@acme.com ", "SALES@acme.com", "b@mail.acme.com"]
    expect(checkAliases(given, account)).toEqual({ ok: true, aliases: ["quotes@acme.com", "b@mail.acme.com"] })
  })

  it("is refused with its place in the list", () => {
    expect(checkAliases(["a@acme.com", "nobody", "b@other.example"], account)).toMatchObject({
      ok: false,
      issues: [{ index: 1 }, { index: 2, message: expect.stringContaining("acme.com") }]
    })
  })

  it("may be one of twenty", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@acme.com`)
    expect(checkAliases(many(aliasLimit), account).ok).toBe(true)
    expect(checkAliases(many(aliasLimit + 1), account).ok).toBe(false)
    expect(checkAliases([...many(aliasLimit), "sales@acme.com"], account).ok).toBe(true)
  })

  it("is measured by the account's domain where the tenant has none", () => {
    const of = { accountEmail: "sales@acme.com", tenantDomain: null }
    expect([checkAliases(["a@acme.com"], of).ok, checkAliases(["a@b.example"], of).ok]).toEqual([true, false])
  })
})

describe("aliases that are discovered", () => {
  const account = { email: "sales@acme.com", aliases: ["info@acme.com"] }
  it("are new addresses on the tenant's domain, each once", () => {
    const arrived = [
      "sales@acme.com",
      "info@acme.com",
      "jo@mail.acme.com",
      "jo@mail.acme.com",
      "x@other.com",
      "postmaster"
    ]
    expect(discovered(account, arrived, "acme.com")).toEqual({
      aliases: ["info@acme.com", "jo@mail.acme.com"],
      skipped: []
    })
  })

  it("find room for twenty, and what finds none is named", () => {
    const arrived = Array.from({ length: 21 }, (_, index) => `a${index}@acme.com`)
    const { aliases, skipped } = discovered(account, arrived, "acme.com")
    expect(aliases).toEqual(["info@acme.com", ...arrived.slice(0, aliasLimit - 1)])
    expect(skipped).toEqual(arrived.slice(aliasLimit - 1))
    expect(discovered({ ...account, aliases: arrived }, ["late@acme.com"], "acme.com").aliases).toEqual(arrived)
  })
})
