import { describe, expect, it } from "vitest"
import { maxAliases, checkAliases, isOnDomain, discovered } from "../../../src/domain/email/Alias.ts"
import { registrableDomain } from "../../../src/domain/email/Mailbox.ts"

const account = { accountEmail: "sales@acme.com", aliases: [], tenantDomain: "acme.com", byOperator: false }

describe("an alias", () => {
  it.each([
    ["acme.com", "acme.com"],
    ["mail.acme.com", "acme.com"],
    ["MAIL.Acme.co.uk", "acme.co.uk"],
    ["shop.github.io", "shop.github.io"],
    ["acme.test", "acme.test"],
    ["localhost", "localhost"]
  ])("at %s has the registered domain %s", (domain, registered) => {
    expect(registrableDomain(domain)).toBe(registered)
  })

  it.each([
    ["a@acme.com", "acme.com", true],
    ["a@mail.acme.com", "acme.com", true],
    ["a@acme.com", "mail.acme.com", false],
    ["a@b.bücher.example", "xn--bcher-kva.example", true],
    ["a@acme.co.uk", "other.co.uk", false],
    ["a@evil-acme.com", "acme.com", false],
    ["a@acme.com.evil.example", "acme.com", false],
    ["a@one.github.io", "two.github.io", false],
    ["acme.com", "acme.com", false]
  ])("%s is on the tenant's domain %s: %s", (email, domain, allowed) => {
    expect(isOnDomain(email, domain)).toBe(allowed)
  })

  it("is stored once, normalised, and never equals the account's address", () => {
    const given = ["Quotes@Acme.com", "quotes@acme.com ", "SALES@acme.com", "b@mail.acme.com"]
    expect(checkAliases(given, account)).toEqual({ ok: true, aliases: ["quotes@acme.com", "b@mail.acme.com"] })
  })

  it("is rejected with its position in the list", () => {
    expect(checkAliases(["a@acme.com", "nobody", "b@other.example"], account)).toMatchObject({
      ok: false,
      issues: [{ index: 1 }, { index: 2, message: expect.stringContaining("acme.com") }]
    })
  })

  it("is accepted up to a total of twenty", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@acme.com`)
    expect(checkAliases(many(maxAliases), account).ok).toBe(true)
    expect(checkAliases(many(maxAliases + 1), account).ok).toBe(false)
    expect(checkAliases([...many(maxAliases), "sales@acme.com"], account).ok).toBe(true)
  })

  it("must be a tag of the account's address if the tenant has no domain; the operator may also set other addresses on the account's domain", () => {
    const of = { accountEmail: "team@gmail.com", aliases: ["old@gmail.com"], tenantDomain: null, byOperator: false }
    const given = ["team+shop@gmail.com", "old@gmail.com", "victim@gmail.com", "a@b.example"]
    const refused = (byOperator: boolean) => {
      const checked = checkAliases(given, { ...of, byOperator })
      return checked.ok ? [] : checked.issues.map(({ index }) => index)
    }
    expect([refused(false), refused(true)]).toEqual([[2, 3], [3]])
  })
})

describe("discovered aliases", () => {
  const account = { email: "sales@acme.com", aliases: ["info@acme.com"] }
  it("are new addresses on the tenant's domain, without duplicates", () => {
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

  it("are added up to twenty, and the rest is reported", () => {
    const arrived = Array.from({ length: 21 }, (_, index) => `a${index}@acme.com`)
    const { aliases, skipped } = discovered(account, arrived, "acme.com")
    expect(aliases).toEqual(["info@acme.com", ...arrived.slice(0, maxAliases - 1)])
    expect(skipped).toEqual(arrived.slice(maxAliases - 1))
    expect(discovered({ ...account, aliases: arrived }, ["late@acme.com"], "acme.com").aliases).toEqual(arrived)
  })
})
