import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  domainOf,
  isEmail,
  isNoReply,
  localPartOf,
  normalizeEmail,
  parseAddressList,
  splitPlusTag
} from "../../../src/domain/address/Address.ts"

describe("normalizeEmail", () => {
  it.each([
    [" Ada@Example.ORG ", "ada@example.org"],
    ["<ada@example.org>", "ada@example.org"],
    ["Ada Lovelace <Ada@Example.org>", "ada@example.org"],
    ["mailto:ada@example.org?subject=Hi", "ada@example.org"],
    ["ada@example.org.", "ada@example.org"],
    ["<>", ""],
    ["", ""]
  ])("turns %j into %j", (text, expected) => {
    expect(normalizeEmail(text)).toBe(expected)
  })

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const once = normalizeEmail(email)
        expect(normalizeEmail(once)).toBe(once)
      })
    )
  })
})

describe("isEmail", () => {
  it.each(["a@b.co", "ada.lovelace+tag@mail.example.org", "o'hara@example.ie", "用户@例子.公司"])(
    "accepts %s",
    (text) => {
      expect(isEmail(text)).toBe(true)
    }
  )

  it.each(["", "a", "a@b", "a@@b.co", "a b@c.co", "a@-b.co", "a@b..co", "a@b.co,c@d.co", "<a@b.co>", "a@b.c\n"])(
    "refuses %j",
    (text) => {
      expect(isEmail(text)).toBe(false)
    }
  )

  it("rejects addresses that SMTP cannot transmit", () => {
    expect(isEmail(`${"a".repeat(65)}@example.org`)).toBe(false)
    expect(isEmail(`a@${"b".repeat(250)}.org`)).toBe(false)
  })
})

describe("parts of an address", () => {
  it("splits at the last @ sign", () => {
    expect(domainOf("a@b@Example.org")).toBe("example.org")
    expect(localPartOf("a@b@example.org")).toBe("a@b")
    expect(domainOf("nobody")).toBe("")
    expect(localPartOf("nobody")).toBe("nobody")
  })

  it("removes a plus tag and keeps the rest", () => {
    expect(splitPlusTag("sales+t.1+2@x.io")).toEqual({ email: "sales@x.io", tag: "t.1+2" })
    expect(splitPlusTag("sales@x.io")).toEqual({ email: "sales@x.io", tag: null })
    expect(splitPlusTag("+tag@x.io")).toEqual({ email: "+tag@x.io", tag: null })
    expect(splitPlusTag("a+b")).toEqual({ email: "a+b", tag: null })
  })
})

describe("isNoReply", () => {
  it.each([
    "noreply@x.io",
    "No-Reply@x.io",
    "no_reply+abc@x.io",
    "do-not-reply@x.io",
    "donotreply.orders@x.io",
    "MAILER-DAEMON@x.io",
    "postmaster@x.io",
    "abuse@x.io",
    "root@x.io"
  ])("holds for %s", (email) => {
    expect(isNoReply(email)).toBe(true)
  })

  it.each(["nora@x.io", "sales@x.io", "noreen.reply@x.io", "rooted@x.io"])("does not hold for %s", (email) => {
    expect(isNoReply(email)).toBe(false)
  })
})

describe("parseAddressList", () => {
  it("parses names, quotes, comments and groups", () => {
    const list = `"Doe, Jane \\"JD\\"" <jane@x.io>, bob@y.io (Bob B.), Team: carl@z.io, Dee <dee@z.io>; , nobody`
    expect(parseAddressList(list)).toEqual([
      { email: "jane@x.io", name: 'Doe, Jane "JD"' },
      { email: "bob@y.io", name: "Bob B." },
      { email: "carl@z.io", name: null },
      { email: "dee@z.io", name: "Dee" }
    ])
  })

  it("never throws, for any input", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "@", "<", ">", '"', ",", ";", ":", "(", ")", "\\", " ") }),
        (text) => {
          for (const { email } of parseAddressList(text)) expect(email).toContain("@")
        }
      )
    )
  })
})
