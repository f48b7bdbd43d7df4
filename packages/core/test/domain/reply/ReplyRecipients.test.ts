import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { areOfOneOrganisation } from "../../../src/workflow/sending/AutomaticRecipient.ts"
import { isPublicMailbox } from "../../../src/domain/email/PublicMailbox.ts"
import { maxRecipients } from "../../../src/domain/email/OutgoingMail.ts"
import { type RepliedMail, replyRecipients, replySender } from "../../../src/domain/reply/ReplyRecipients.ts"

const own = ["office@acme.com", "sales@acme.com"]

const question: RepliedMail = {
  actor: "contact",
  from: "jo@customer.example",
  replyTo: [],
  to: ["sales@acme.com", "bob@customer.example"],
  cc: ["boss@acme.com", "eve@third.example"],
  receivedAlias: "sales@acme.com"
}
const answer: RepliedMail = {
  actor: "agent",
  from: "sales@acme.com",
  replyTo: [],
  to: ["jo@customer.example", "office@acme.com"],
  cc: ["bob@customer.example"],
  receivedAlias: null
}

describe("the recipients of an answer", () => {
  it.each<readonly [whom: string, changes: Partial<RepliedMail>, to: ReadonlyArray<string>]>([
    ["the sender", {}, ["jo@customer.example"]],
    ["Reply-To", { replyTo: ["desk@customer.example"] }, ["desk@customer.example"]],
    [
      "all addresses of Reply-To, without duplicates",
      { replyTo: ["a@x.example", "A@X.example", "b@x.example"] },
      ["a@x.example", "b@x.example"]
    ],
    ["the sender, when Reply-To is ours", { replyTo: ["Sales@acme.com"] }, ["jo@customer.example"]],
    ["the sender, when Reply-To is not an address", { replyTo: ["undisclosed"] }, ["jo@customer.example"]],
    [
      "Reply-To, when a form of the tenant sent the mail",
      { from: "office@acme.com", replyTo: ["kim@x.example"] },
      ["kim@x.example"]
    ],
    [
      "the other recipients, when From and Reply-To are ours",
      { from: "office@acme.com", replyTo: ["sales@acme.com"] },
      ["bob@customer.example"]
    ],
    ["empty, when no address is external", { from: "office@acme.com", to: ["sales+x@acme.com"], cc: [] }, []]
  ])("are %s", (_, changes, to) => {
    expect(replyRecipients({ ...question, ...changes }, own, false)).toEqual({ to, cc: [] })
  })

  it("include all other recipients and colleagues for a reply to all, but not our account and aliases", () => {
    expect(replyRecipients(question, own, true)).toEqual({
      to: ["jo@customer.example"],
      cc: ["bob@customer.example", "boss@acme.com", "eve@third.example"]
    })
    const diverted = { ...question, replyTo: ["bob@customer.example"] }
    expect(replyRecipients(diverted, own, true)).toEqual({
      to: ["bob@customer.example"],
      cc: ["boss@acme.com", "eve@third.example"]
    })
  })

  it("are those of our own mail when it is answered, regardless of its Reply-To", () => {
    expect(replyRecipients({ ...answer, replyTo: ["x@x.example"] }, own, false)).toEqual({
      to: ["jo@customer.example"],
      cc: []
    })
    expect(replyRecipients(answer, own, true)).toEqual({ to: ["jo@customer.example"], cc: ["bob@customer.example"] })
  })

  it("exclude the address of arrival, even if it is no longer an alias", () => {
    const gone = { ...question, receivedAlias: "bob@customer.example" }
    expect(replyRecipients(gone, own, true).cc).not.toContain("bob@customer.example")
  })
})

describe("the recipients of an answer to any mail", () => {
  const address = fc.oneof(
    fc.constantFrom(
      ...own,
      "SALES@acme.com",
      "sales+tag@acme.com",
      "boss@acme.com",
      "nobody",
      "",
      "<Jo@Customer.example>"
    ),
    fc.integer({ min: 0, max: 150 }).map((number) => `a${number}@X.example`)
  )
  const list = fc.array(address, { maxLength: 160 })
  const mails: fc.Arbitrary<RepliedMail> = fc.record({
    actor: fc.constantFrom("contact", "agent", "assistant", "system"),
    from: fc.option(address),
    replyTo: fc.array(address, { maxLength: 3 }),
    to: list,
    cc: list,
    receivedAlias: fc.option(fc.constantFrom("sales@acme.com", "old@acme.com"))
  })
  const outsider = /^a\d+@x\.example$/iu

  it("exclude ourselves and duplicates, respect the maximum, and are not empty when an external address exists", () => {
    fc.assert(
      fc.property(mails, fc.boolean(), (mail, all) => {
        const { cc, to } = replyRecipients(mail, own, all)
        const everybody = [...to, ...cc]
        for (const email of everybody) {
          expect(email).toBe(email.toLowerCase())
          expect(own).not.toContain(email.replace(/\+[^@]*/u, ""))
          expect(email).not.toBe(mail.receivedAlias)
        }
        expect(new Set(everybody).size).toBe(everybody.length)
        expect(everybody.length).toBeLessThanOrEqual(maxRecipients)
        if (outsider.test(mail.from ?? "") && mail.actor === "contact") expect(to).not.toEqual([])
        if ([...mail.to, ...mail.cc].some((email) => outsider.test(email))) expect(to).not.toEqual([])
        if (!all) expect(cc).toEqual([])
      })
    )
  })

  it("stay the same when the answer itself is answered", () => {
    fc.assert(
      fc.property(mails, fc.boolean(), (mail, all) => {
        const once = replyRecipients(mail, own, all)
        const sent: RepliedMail = { actor: "agent", from: "sales@acme.com", replyTo: [], receivedAlias: null, ...once }
        expect(replyRecipients(sent, own, all)).toEqual(once)
      })
    )
  })
})

describe("the sender of an answer", () => {
  const grant = { email: "office@acme.com", aliases: ["sales@acme.com", "info@acme.com"], name: "Acme" }
  it.each<readonly [which: string, mail: RepliedMail, email: string]>([
    ["the alias that was written to", question, "sales@acme.com"],
    [
      "an alias from the headers, when the mail arrived elsewhere",
      { ...question, receivedAlias: "x@acme.com", to: ["INFO@acme.com"] },
      "info@acme.com"
    ],
    [
      "the account, when the alias no longer exists",
      { ...question, receivedAlias: "old@acme.com", to: ["old@acme.com"] },
      "office@acme.com"
    ],
    ["the sender of our own mail", { ...answer, from: "info@acme.com" }, "info@acme.com"],
    [
      "the account, when our own mail has another sender",
      { ...answer, from: "old@acme.com", to: ["jo@x.example"] },
      "office@acme.com"
    ]
  ])("is %s", (_, mail, email) => {
    expect(replySender(grant, mail)).toEqual({ email, name: "Acme" })
  })
})

describe("two addresses", () => {
  it.each([
    ["jo@customer.example", "desk@mail.customer.example", true],
    ["jo@customer.example", "jo@other.example", false],
    ["jo@a.co.uk", "jo@b.co.uk", false],
    ["jo@gmail.com", "eve@gmail.com", false],
    ["jo@yahoo.co.uk", "eve@yahoo.co.uk", false],
    ["jo@web.de", "eve@web.de", false],
    ["jo@shop.myshopify.com", "eve@other.myshopify.com", false],
    ["jo", "eve", false]
  ])("%s and %s are of one organisation: %s", (one, other, expected) => {
    expect(areOfOneOrganisation(one, other)).toBe(expected)
    expect(areOfOneOrganisation(other, one)).toBe(expected)
  })

  it("are unrelated on a public mail host", () => {
    expect(["gmail.com", "mail.gmx.at", "hotmail.fr", "qq.com"].map(isPublicMailbox)).toEqual([true, true, true, true])
    expect(["acme.com", "proton.acme.com", "mail.example"].map(isPublicMailbox)).toEqual([false, false, false])
  })
})
