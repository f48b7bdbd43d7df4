import { threadAll } from "@leadloom/testkit/ThreadIndex"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type MailIds,
  normalizeMessageId,
  referencedIds,
  maxFollowedReferences
} from "../../../src/domain/email/MessageId.ts"

const none: MailIds = {
  messageId: null,
  inReplyTo: "",
  references: "",
  from: [],
  to: [],
  cc: [],
  replyTo: [],
  sender: null
}

const strong = (id: string) => ({ id, weak: false })
const weak = (id: string) => ({ id, weak: true })

describe("normalizeMessageId", () => {
  it.each([
    ["<9f3a.77c1@mx.shop.io>", "9f3a.77c1@mx.shop.io"],
    ["  9f3a.77c1@mx.shop.io ", "9f3a.77c1@mx.shop.io"],
    ["<9f3a.77c1@mx.shop.io> (added by relay@shop.io)", "9f3a.77c1@mx.shop.io"],
    ["&lt;9f3a.77c1@mx.shop.io&gt;", "9f3a.77c1@mx.shop.io"],
    ["<9f3a.77c1@mx.shop\t.io>", "9f3a.77c1@mx.shop.io"],
    ["<<9f3a.77c1@mx.shop.io>>", "9f3a.77c1@mx.shop.io"],
    ["<9F3A@Mx.Shop.io>", "9F3A@Mx.Shop.io"]
  ])("reads %j", (raw, expected) => {
    expect(normalizeMessageId(raw)).toBe(expected)
  })

  it.each(["", "<>", "<yes>", "no at sign", "<9f3a@>", "<@shop.io>"])("rejects %j", (raw) => {
    expect(normalizeMessageId(raw)).toBeNull()
  })
})

describe("referencedIds", () => {
  it("lists In-Reply-To first, then References from the newest to the root, without duplicates", () => {
    const mail = {
      ...none,
      inReplyTo: "<p4x9@a.io> <q5y8@a.io>",
      references: "<r00t1@a.io> <q5y8@a.io>\n <p4x9@a.io> <z1z1@a.io>"
    }
    expect(referencedIds(mail).map(({ id }) => id)).toEqual(["p4x9@a.io", "q5y8@a.io", "z1z1@a.io", "r00t1@a.io"])
  })

  it("leaves out the mail's own id and ids without an @ sign", () => {
    const mail = { ...none, messageId: "<me.77af@a.io>", references: "<yes> <me.77af@a.io> <you.88bc@a.io>" }
    expect(referencedIds(mail)).toEqual([strong("you.88bc@a.io")])
  })

  it("reads ids without brackets when there are no brackets at all", () => {
    expect(referencedIds({ ...none, inReplyTo: "x7f9q1@a.io, y7f9q2@a.io" })).toEqual([
      strong("x7f9q1@a.io"),
      strong("y7f9q2@a.io")
    ])
    expect(referencedIds({ ...none, inReplyTo: "<x7f9q1@a.io>; from jo@b.io on Monday" })).toEqual([
      strong("x7f9q1@a.io")
    ])
    expect(referencedIds({ ...none, inReplyTo: "the mail 99812.x7@a.io of Monday" })).toEqual([weak("99812.x7@a.io")])
    expect(referencedIds({ ...none, inReplyTo: `jo@b.io's message of "Mon, 2 Mar"` })).toEqual([])
  })

  it("marks the author address in a prose In-Reply-To as weak, in any form", () => {
    const inReplyTo = 'Message from Jo <jo-dated-1030460376.49ef5a@b.io> of "Mon, 2 Mar." <20260302.GA77@b.io>'
    expect(referencedIds({ ...none, inReplyTo })).toEqual([
      weak("jo-dated-1030460376.49ef5a@b.io"),
      strong("20260302.GA77@b.io")
    ])
  })

  it("marks an address among machine-made ids as weak, and one that the mail itself contains", () => {
    expect(referencedIds({ ...none, references: "<jo.smith@b.io> <20260302.GA77@b.io>" })).toContainEqual(
      weak("jo.smith@b.io")
    )
    const named = { ...none, references: "<S19790222@b.io>", to: [{ email: "s19790222@b.io", name: null }] }
    expect(referencedIds(named)).toEqual([weak("S19790222@b.io")])
  })

  it("accepts plain words as ids when the mail's own id has the same form", () => {
    const mail = { ...none, messageId: "<child@shop.example>", references: "<root@shop.example> <parent@shop.example>" }
    expect(referencedIds(mail)).toEqual([strong("parent@shop.example"), strong("root@shop.example")])
  })

  it("joins an id that contains a space and treats it as weak, and separates two ids in one pair of brackets", () => {
    expect(referencedIds({ ...none, inReplyTo: "<Pine.77.0209@mail.hydrogen.or g>" })).toEqual([
      weak("Pine.77.0209@mail.hydrogen.org")
    ])
    expect(referencedIds({ ...none, references: "<a1b2c3@x.io d4e5f6@x.io>" })).toEqual([
      strong("d4e5f6@x.io"),
      strong("a1b2c3@x.io")
    ])
  })

  it("is strong when at least one reference is strong", () => {
    const inReplyTo = "Message from Jo <77af.01@b.io> of Monday"
    expect(referencedIds({ ...none, inReplyTo, references: "<77af.01@b.io>" })).toEqual([strong("77af.01@b.io")])
    expect(referencedIds({ ...none, inReplyTo: `<77af.01@b.io> ${inReplyTo}` })).toEqual([strong("77af.01@b.io")])
  })

  it("keeps the newest ids and the root of a very long list", () => {
    const ids = Array.from({ length: 5_000 }, (_, i) => `<n${i}x7@a.io>`)
    const found = referencedIds({ ...none, references: ids.join(" ") })
    expect(found).toHaveLength(maxFollowedReferences)
    expect(found[0]?.id).toBe("n4999x7@a.io")
    expect(found.at(-1)?.id).toBe("n0x7@a.io")
  })

  it("never throws, for any input", () => {
    const noise = fc.string({
      unit: fc.constantFrom("a", "7", "@", "<", ">", " ", '"', ".", "of ", "message from ", "&lt;")
    })
    fc.assert(
      fc.property(noise, noise, noise, (messageId, inReplyTo, references) => {
        for (const { id } of referencedIds({ ...none, messageId, inReplyTo, references }))
          expect(id).toMatch(/^[^\s@]\S*@\S+$/u)
      })
    )
  })
})

describe("ids of issue trackers and help desks", () => {
  const own = "<9f3a77c1.20240304@shop.example>"
  const ids = [
    "RT-Ticket-33575@tracker.example",
    "RT-Ticket-7@tracker.example",
    "rt-4.4.1-12-170-33.7-5-0@tracker.example",
    "JIRA.12.34@Atlassian.JIRA",
    "redmine.issue-123@redmine.example",
    "redmine.journal-45@redmine.example",
    "shop/site/issues/1@github.com",
    "shop/site/pull/12/c34@github.com",
    "issue_12345@gitlab.example",
    "merge_request_77@gitlab.example",
    "bug-12-34@bugs.example",
    "12345@bugs.launchpad.net",
    "ticket.4711@help.freshdesk.example",
    "otrs-2024-12@otrs.example",
    "maniphest-task-PHID-TASK-abcdefghij@phab.example",
    "conversation-98@mail.example"
  ]

  it.each(ids)("count as a Message-ID: %s", (id) => {
    const listed = { ...none, messageId: own, references: `<${id}> <Xq8.77a1@shop.example>` }
    expect(referencedIds(listed).at(-1)).toEqual(strong(id))
    const writtenTo = { ...listed, to: [{ email: id, name: null }], replyTo: [{ email: id, name: null }] }
    expect(referencedIds(writtenTo).at(-1)).toEqual(strong(id))
  })

  it.each(ids)("join mails that refer to %s, in any order and without a mail with this id", (id) => {
    const mails = ["a", "b", "c"].map((name) => {
      const messageId = `<${name}.9f3a77c1@shop.example>`
      const references = referencedIds({ ...none, messageId, references: `<${id}>` })
      return { ownId: normalizeMessageId(messageId) ?? "", references, subject: "Offer" }
    })
    for (const order of [
      [0, 1, 2],
      [2, 0, 1]
    ]) {
      expect(new Set(threadAll(mails, order)).size).toBe(1)
    }
  })

  it.each(["jo.smith2@b.example", "mr.jones88@b.example", "jo.tickets@b.example", "task.force@b.example"])(
    "do not include the address of a person: %s",
    (address) => {
      const listed = { ...none, messageId: own, references: `<${address}> <Xq8.77a1@shop.example>` }
      expect(referencedIds(listed).at(-1)).toEqual(weak(address))
    }
  )
})
