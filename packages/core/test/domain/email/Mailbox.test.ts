import { describe, expect, it } from "vitest"
import { domainsOf, isOnForeignDomain, mailboxOf } from "../../../src/domain/email/Mailbox.ts"

describe("the domains of an address", () => {
  it.each([
    ["jo@acme.com", ["acme.com"]],
    ["jo@mail.acme.com", ["mail.acme.com", "acme.com"]],
    ["jo@a.b.acme.co.uk", ["a.b.acme.co.uk", "b.acme.co.uk", "acme.co.uk"]],
    ["jo@co.uk", ["co.uk"]],
    ["jo@shop.github.io", ["shop.github.io"]],
    ["jo@localhost", ["localhost"]],
    ["jo@[192.0.2.1]", ["[192.0.2.1]"]],
    ["jo", []],
    ["", []]
  ])("of %j are %j, the nearest first", (email, domains) => {
    expect(domainsOf(email)).toEqual(domains)
  })
})

describe("a mailbox", () => {
  it.each([
    ["sales@acme.com", "sales@acme.com"],
    ["Sales+Quote+1@ACME.com", "sales@acme.com"],
    ["+tag@acme.com", "+tag@acme.com"],
    ["a@Bücher.example", "a@xn--bcher-kva.example"],
    ["a@XN--bcher-KVA.example", "a@xn--bcher-kva.example"],
    ["a@acme。com", "a@acme.com"],
    ["Ä@acme.com", "ä@acme.com"],
    ["nobody", "nobody"]
  ])("of %j is %j", (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox)
  })

  it("is on a foreign domain when its nearest domain belongs only to other tenants", () => {
    const tenants = [
      { tenantId: "acme", domain: "acme.com" },
      { tenantId: "shop", domain: "shop.acme.com" }
    ]
    const foreign = (email: string) => ["acme", "shop", "new"].filter((id) => isOnForeignDomain(email, id, tenants))
    expect(foreign("a@acme.com")).toEqual(["shop", "new"])
    expect(foreign("a@x.shop.acme.com")).toEqual(["acme", "new"])
    expect(foreign("a@gmail.com")).toEqual([])
  })
})
