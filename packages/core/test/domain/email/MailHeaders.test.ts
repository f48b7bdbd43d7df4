import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  maxHeaderFields,
  missingBlankLine,
  plainDecoding,
  readEnvelope,
  splitHeaders,
  maxHeaderValueLength
} from "../../../src/domain/email/MailHeaders.ts"

const split = (text: string) => {
  const { fields, bodyStart, defects } = splitHeaders(text)
  return { fields: fields.map(({ name, value }) => `${name}=${value}`), body: text.slice(bodyStart), defects }
}

describe("splitHeaders", () => {
  it("unfolds values, lowers names and finds the body behind any line end", () => {
    const expected = { fields: ["subject=one two", "x-a=b"], body: "body\n", defects: [] }
    expect(split("Subject: one\n two\nX-A : b\n\nbody\n")).toEqual(expected)
    expect(split("Subject: one\r\n two\r\nX-A: b\r\n\r\nbody\n")).toEqual(expected)
    expect(split("Subject: one\r\n two\nX-A: b\n\r\nbody\n")).toEqual(expected)
  })

  it("passes over an mbox line", () => {
    expect(split("From ada@example.org Mon Mar  2 09:00:00 2026\nX-A: b\n\nbody")).toMatchObject({
      fields: ["x-a=b"],
      body: "body"
    })
  })

  it("passes over junk among headers, and takes it for the body when no header follows", () => {
    expect(split("X-A: b\nquite some junk\nX-C: d\n\nbody")).toMatchObject({ fields: ["x-a=b", "x-c=d"], body: "body" })
    expect(split("X-A: b\nHello there,\nhow are you")).toEqual({
      fields: ["x-a=b"],
      body: "Hello there,\nhow are you",
      defects: [missingBlankLine]
    })
  })

  it("takes an mbox line for one before the first header only", () => {
    expect(split("X-A: b\nFrom here on it is\nthe body").body).toBe("From here on it is\nthe body")
  })

  it("reads mail without headers, without a body, and nothing at all", () => {
    expect(split("\nbody")).toMatchObject({ fields: [], body: "body", defects: [] })
    expect(split("X-A: b")).toMatchObject({ fields: ["x-a=b"], body: "" })
    expect(split("")).toMatchObject({ fields: [], body: "" })
  })

  it("bounds the number of fields and their length", () => {
    const many = split(`${"X-A: b\n".repeat(maxHeaderFields + 5)}\n`)
    expect(many.fields).toHaveLength(maxHeaderFields)
    expect(many.defects).toHaveLength(1)
    const long = splitHeaders(`X-A: ${"b".repeat(maxHeaderValueLength + 5)}\n\n`)
    expect(long.fields[0]?.value).toHaveLength(maxHeaderValueLength)
    expect(long.defects).toHaveLength(1)
  })

  it("survives anything", () => {
    const noise = fc.string({ unit: fc.constantFrom("a", ":", " ", "\t", "\n", "\r\n", "\r", "From ", ">") })
    fc.assert(
      fc.property(noise, (text) => {
        expect(splitHeaders(text).bodyStart).toBeLessThanOrEqual(text.length)
      })
    )
  })
})

const envelope = (headers: string) => readEnvelope(splitHeaders(headers).fields, plainDecoding)

describe("readEnvelope", () => {
  it("reads the usual fields", () => {
    const read = envelope(
      [
        "From: Ada <ada@example.org>",
        "Sender: office@example.org",
        "Reply-To: desk@example.org",
        "To: Bob <bob@shop.example>, carl@shop.example",
        "Cc: dee@shop.example",
        "Delivered-To: Alias@shop.example",
        "X-Original-To: alias@shop.example",
        "Subject: Garden chairs",
        "Date: Tue, 3 Mar 2026 09:05:07 +0000",
        "Message-ID: <a7@example.org>",
        "In-Reply-To: <b7@example.org>",
        "References: <c7@example.org>",
        " <b7@example.org>"
      ].join("\n")
    )
    expect(read).toMatchObject({
      from: [{ email: "ada@example.org", name: "Ada" }],
      sender: { email: "office@example.org", name: null },
      replyTo: [{ email: "desk@example.org" }],
      to: [{ email: "bob@shop.example" }, { email: "carl@shop.example" }],
      cc: [{ email: "dee@shop.example" }],
      deliveredTo: ["alias@shop.example"],
      subject: "Garden chairs",
      date: Date.UTC(2026, 2, 3, 9, 5, 7),
      messageId: "<a7@example.org>",
      inReplyTo: "<b7@example.org>",
      references: "<c7@example.org> <b7@example.org>",
      defects: []
    })
  })

  it("names what is missing", () => {
    expect(envelope("").defects).toEqual([
      "There is no From header.",
      "There is no Date header.",
      "There is no Message-ID header."
    ])
    const odd = envelope("From: nobody\nDate: soon\nMessage-ID: <x7@y.io>").defects
    expect(odd).toEqual(["The From header contains no address.", "The Date header is unreadable or implausible."])
  })

  it("goes by the first of a repeated field and says so", () => {
    const read = envelope("From: ada@example.org\nFrom: eve@example.org\nSubject: one\nSubject: two")
    expect(read.from.map(({ email }) => email)).toEqual(["ada@example.org"])
    expect(read.subject).toBe("one")
    expect(read.defects).toContain("The header from occurs more than once.")
    expect(read.defects).toContain("The header subject occurs more than once.")
    expect(envelope("From: a@x.io, b@x.io").defects).toContain("The From header contains several addresses.")
  })

  it("keeps hidden characters out of subject and names", () => {
    const read = envelope('From: "Ada\u202E\u200B" <ada@example.org>\nSubject: a\0b\u200Bc')
    expect(read.from[0]?.name).toBe("Ada")
    expect(read.subject).toBe("abc")
  })
})
