import { describe, expect, it } from "vitest"
import { maySend, type ReplyCircumstances } from "../../src/email/MaySend.ts"

const fine: ReplyCircumstances = {
  hipaa: false,
  auto: null,
  flags: [],
  recipient: "jo@customer.example",
  ownAddresses: ["sales@acme.com"],
  tenantDomain: "acme.com",
  undeliverable: null,
  diverted: null,
  repliesInThread: 2,
  repliesToCorrespondent: 4,
  now: 1_000,
  slotAt: 1_000
}

describe("an automatic reply", () => {
  it("may go where nothing speaks against it", () => {
    expect(maySend(fine)).toEqual({ _tag: "Allow" })
  })

  it("waits for the hour to have room", () => {
    expect(maySend({ ...fine, slotAt: 1_001 })).toEqual({ _tag: "Defer", until: 1_001 })
  })

  it.each<readonly [because: string, changes: Partial<ReplyCircumstances>]>([
    ["HIPAA", { hipaa: true }],
    ["no email account", { ownAddresses: null }],
    ["automatic mail (list)", { auto: "list" }],
    ["automatic mail (bounce)", { auto: "bounce" }],
    ["not to be answered", { flags: ["no_auto_reply"] }],
    ["new to this thread", { flags: ["sender_unverified"] }],
    ["no address", { recipient: null }],
    ["no address", { recipient: "not an address" }],
    ["nobody reads", { recipient: "no-reply@customer.example" }],
    ["nobody reads", { recipient: "mailer-daemon@customer.example" }],
    ["own addresses", { recipient: "sales@acme.com", tenantDomain: null }],
    ["own addresses", { recipient: "boss@acme.com" }],
    ["550 gone", { undeliverable: "550 gone" }],
    ["not known to be", { diverted: "answers are to go to a@b.example, which is not known to be the sender's" }],
    ["no person has written", { repliesInThread: 3 }],
    ["24 hours", { repliesToCorrespondent: 5 }]
  ])("is denied, naming: %s", (because, changes) => {
    const verdict = maySend({ ...fine, ...changes, slotAt: 9_999 })
    expect(verdict).toEqual({ _tag: "Deny", reasons: [expect.stringContaining(because)] })
  })

  it("is denied with every reason there is", () => {
    const verdict = maySend({ ...fine, hipaa: true, repliesInThread: 9, undeliverable: "gone" })
    expect(verdict._tag === "Deny" && verdict.reasons.length).toBe(3)
  })
})
