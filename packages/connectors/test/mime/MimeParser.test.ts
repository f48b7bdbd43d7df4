import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { textCharactersKept } from "../../src/mime/Html.ts"
import { deepestMessage } from "../../src/mime/MimeBody.ts"
import { parseMail } from "../../src/mime/MimeParser.ts"
import { partsRead } from "../../src/mime/MimeTree.ts"

const head = ["From: Ada <ada@example.org>", "To: sales@shop.example", "Subject: Chairs", "MIME-Version: 1.0"]
const raw = (...lines: ReadonlyArray<string>): Buffer => Buffer.from([...head, ...lines].join("\r\n"), "latin1")
const multipart = (subtype: string, ...parts: ReadonlyArray<ReadonlyArray<string>>): Buffer => {
  const body = parts.map((part) => `--b 1\r\n${part.join("\r\n")}`)
  return raw(`Content-Type: multipart/${subtype}; boundary="b 1"`, "", "preamble", ...body, "--b 1--", "epilogue")
}

const plain = ["Content-Type: text/plain; charset=utf-8", "", "Hello"]
const html = ["Content-Type: text/html; charset=utf-8", "", "<p>Hello <b>there</b></p>"]

describe("bodies", () => {
  it("reads plain text in its charset and transfer encoding", () => {
    const mail = parseMail(
      raw(
        "Content-Type: text/plain; charset=iso-8859-1",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Gr=FC=DFe",
        "=20 x"
      )
    )
    expect(mail.text).toBe("Grüße\n  x")
    expect(mail.html).toBeNull()
  })

  it("converts HTML to text when there is no plain part, or only a blank one", () => {
    expect(parseMail(raw(...html)).text).toBe("Hello there")
    expect(parseMail(multipart("alternative", ["", " "], html)).text).toBe("Hello there")
  })

  it("uses the plain alternative as the text and the other as the HTML", () => {
    expect(parseMail(multipart("alternative", plain, html))).toMatchObject({
      text: "Hello",
      html: "<p>Hello <b>there</b></p>"
    })
  })

  it("joins mixed parts in both forms", () => {
    const mail = parseMail(multipart("mixed", plain, html))
    expect(mail.text).toBe("Hello\nHello there")
    expect(mail.html).toBe("<div>Hello</div>\n<p>Hello <b>there</b></p>")
  })

  it("reads HTML without a Content-Type", () => {
    expect(parseMail(raw("", "<!DOCTYPE html><html><body><p>Hi</p></body></html>"))).toMatchObject({
      text: "Hi",
      html: "<p>Hi</p>"
    })
    expect(parseMail(raw("", "1 < 2")).html).toBeNull()
  })

  it("removes hidden characters and NUL everywhere", () => {
    const mail = parseMail(Buffer.from([...head, "X-Odd: a\0b", "", "a\0b\u200Bc"].join("\r\n")))
    expect(mail.text).toBe("abc")
    expect(JSON.stringify(mail)).not.toContain("\\u0000")
  })

  it("keeps the first mebibyte of text and reports it", () => {
    const mail = parseMail(raw("", "x".repeat(textCharactersKept + 10)))
    expect(mail.text).toHaveLength(textCharactersKept)
    expect(mail.defects.join()).toContain("characters of text")
  })
})

describe("headers", () => {
  it("decodes encoded words and raw bytes", () => {
    const mail = parseMail(
      Buffer.concat([
        Buffer.from("From: =?utf-8?Q?J=C3=B6rg?= <j@example.org>\r\nSubject: "),
        Buffer.from("Gr\xFC\xDFe", "latin1"),
        Buffer.from("\r\n =?iso-8859-1?B?4PY=?=\r\nTo: "),
        Buffer.from("Zoë <z@example.org>\r\n\r\nx")
      ])
    )
    expect(mail.from).toEqual([{ email: "j@example.org", name: "Jörg" }])
    expect(mail.to).toEqual([{ email: "z@example.org", name: "Zoë" }])
    expect(mail.subject).toBe("Grüße àö")
  })

  it("reads raw bytes in the charset of the body", () => {
    const mail = parseMail(
      Buffer.concat([
        Buffer.from("Subject: "),
        Buffer.from("cff0e8e2e5f2", "hex"),
        Buffer.from(
          '\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset="windows-1251"\r\n\r\nx\r\n--b--'
        )
      ])
    )
    expect(mail.subject).toBe("Привет")
  })

  it("reads addresses with old comments, with groups, and without display names", () => {
    const mail = parseMail(
      Buffer.from(
        'From: pete(his account)@silly.test(his host)\r\nTo: Team: a@x.io, "B, C" <b@x.io>;\r\nCc: undisclosed-recipients:;\r\n\r\n'
      )
    )
    expect(mail.from.map(({ email }) => email)).toEqual(["pete@silly.test"])
    expect(mail.to).toEqual([
      { email: "a@x.io", name: null },
      { email: "b@x.io", name: "B, C" }
    ])
    expect(mail.cc).toEqual([])
  })

  it("reads mail with line feeds only, with carriage returns only, and with an mbox line", () => {
    const lines = ["From ada@example.org Mon Mar  2 09:00:00 2026", ...head, "", "Hi", "there"]
    for (const end of ["\n", "\r\n", "\r"]) {
      expect(parseMail(Buffer.from(lines.join(end)))).toMatchObject({ subject: "Chairs", text: "Hi\nthere" })
    }
  })
})

describe("attachments", () => {
  it("are described without their content", () => {
    const file = [
      'Content-Type: application/pdf; name="x.pdf"',
      "Content-Transfer-Encoding: base64",
      'Content-Disposition: attachment; filename="../../a/offer.pdf"',
      "",
      "SGVsbG8=",
      ""
    ]
    const picture = ["Content-Type: image/png", "Content-ID: <logo@x>", "Content-Disposition: inline", "", "abc"]
    expect(parseMail(multipart("mixed", plain, file, picture)).attachments).toEqual([
      { filename: "offer.pdf", contentType: "application/pdf", size: 5, contentId: null, inline: false },
      { filename: null, contentType: "image/png", size: 3, contentId: "logo@x", inline: true }
    ])
  })

  it("contain the method of a calendar part", () => {
    const calendar = ["Content-Type: text/calendar; method=request", "", "BEGIN:VCALENDAR"]
    expect(parseMail(multipart("alternative", plain, calendar)).attachments).toMatchObject([
      { contentType: "text/calendar", method: "REQUEST" }
    ])
  })

  it("include named text after the first body, and text with the disposition attachment", () => {
    const named = ["Content-Type: text/plain; name=notes.txt", "", "notes"]
    const attached = ["Content-Type: text/html", "Content-Disposition: attachment", "", "<p>x</p>"]
    const mail = parseMail(multipart("mixed", plain, named, attached))
    expect(mail.text).toBe("Hello")
    expect(mail.html).toBeNull()
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(["notes.txt", null])
  })

  it("include an attached message, whose text is also in the body below its headers", () => {
    const inner = ["Content-Type: message/rfc822", "", "From: Bob <bob@y.io>", "Subject: Old offer", "", "ten chairs"]
    const mail = parseMail(multipart("mixed", plain, inner))
    expect(mail.text).toBe(
      "Hello\n---------- Forwarded message ----------\nFrom: Bob <bob@y.io>\nSubject: Old offer\n\nten chairs"
    )
    expect(mail.attachments).toMatchObject([{ contentType: "message/rfc822" }])
    expect(mail.subject).toBe("Chairs")
  })
})

describe("broken structure", () => {
  it("is read without the end of a multipart, without its boundary, and with a similar boundary", () => {
    const open = raw("Content-Type: multipart/mixed; boundary=b", "", "--b", "", "Hello")
    expect(parseMail(open)).toMatchObject({
      text: "Hello",
      defects: expect.arrayContaining(["A multipart body has no closing boundary."])
    })
    const unnamed = raw(
      "Content-Type: multipart/mixed",
      "",
      "--xyz",
      "Content-Type: text/html",
      "",
      "<p>Hello</p>",
      "--xyz--"
    )
    expect(parseMail(unnamed).text).toBe("Hello")
    const similar = raw("Content-Type: multipart/mixed; boundary=b", "", "--b", "", "--bb", "--b x", "--b--")
    expect(parseMail(similar).text).toBe("--bb\n--b x")
    expect(parseMail(raw("Content-Type: multipart/mixed; boundary=b", "", "just text")).text).toBe("just text")
  })

  it("is read up to the limits of parts and nesting", () => {
    const many = multipart("mixed", ...Array.from({ length: partsRead * 2 }, () => ["", "x"]))
    expect(parseMail(many).defects.join()).toContain("parts; the rest was dropped")
    const deep = raw(
      ...Array.from({ length: 3_000 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}`),
      "",
      "Hello"
    )
    expect(parseMail(deep).defects.join()).toContain("nested deeper")
    const matryoshka = raw("Content-Type: message/rfc822\r\n\r\n".repeat(3_000), "Hello")
    expect(parseMail(matryoshka).attachments).toHaveLength(deepestMessage + 1)
  })

  it("is read with a Message-ID of ten kilobytes and a hundred thousand headers", () => {
    expect(parseMail(raw(`Message-ID: <${"a".repeat(10_240)}@x.io>`, "", "Hi")).text).toBe("Hi")
    expect(parseMail(Buffer.from(`${"X-A: b\r\n".repeat(100_000)}\r\nHi`)).defects.join()).toContain("header fields")
  })
})

describe("parseMail", () => {
  const pieces =
    "From: a@b.co\r\n|Content-Type: multipart/mixed; boundary=b\r\n|Content-Type: text/html\r\n|\r\n|\n|\r|--b|--b--|" +
    "Content-Transfer-Encoding: base64\r\n|Content-Type: message/rfc822\r\n|Content-Type: message/delivery-status\r\n|" +
    'Subject: =?utf-8?B?|?=|<p>|\0|\xFF\xFE| |:|"|;|charset=|=|Date: x\r\n|Final-Recipient: rfc822;a@b.co\r\n'
  const piece = fc.constantFrom(...pieces.split("|"))

  const holds = (bytes: Uint8Array): void => {
    const mail = parseMail(bytes)
    expect(mail.unparsed ?? []).toEqual([])
    const json = JSON.stringify(mail)
    expect(json).not.toContain("\\u0000")
    expect(json).not.toMatch(/\\ud[89a-f]/u)
  }

  it("never throws for any bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2_000 }), holds), { numRuns: 300 })
  })

  it("never throws for fragments of mail in any order", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => holds(Buffer.from(pieces.join(""), "latin1"))),
      { numRuns: 1_000 }
    )
  })
})
