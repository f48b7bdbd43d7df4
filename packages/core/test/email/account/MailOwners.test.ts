import { describe, expect, it } from "vitest"
import { domainsOf } from "../../../src/email/account/MailOwners.ts"

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
