import { describe, expect, it } from "vitest"
import { parseMail } from "../../src/mime/MimeParser.ts"

const mail = (...parts: ReadonlyArray<string>) =>
  parseMail(
    Buffer.from(
      [
        "From: MAILER-DAEMON@mx.example",
        "Subject: Undelivered",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "",
        ...parts.flatMap((part) => ["--b", part]),
        "--b--",
        ""
      ].join("\r\n")
    )
  )

const notice = "Content-Type: text/plain\r\n\r\nSorry."
const original =
  "Content-Type: message/rfc822\r\n\r\nMessage-ID: <0ut.77@shop.example>\r\nSubject: Offer\r\n\r\nsecret body\r\n"

describe("delivery status notifications", () => {
  it("are read by recipient", () => {
    const status = [
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example",
      "",
      "Original-Recipient: rfc822;Bob@shop.example",
      "Final-Recipient: rfc822; <bob@forwarded.example>",
      "Action: failed (no such user)",
      "Status: 5.1.1 (unknown)",
      "Diagnostic-Code: smtp; 550 5.1.1",
      " no such user",
      "",
      "Final-Recipient: rfc822; carl@shop.example",
      "Action: Delayed",
      "Status: 4.4.1",
      "",
      "Final-Recipient: rfc822; dee@shop.example",
      ""
    ].join("\r\n")
    const { report, text, attachments } = mail(notice, status, original)
    expect(report).toEqual({
      statuses: [
        { recipient: "bob@shop.example", action: "failed", status: "5.1.1", diagnostic: "550 5.1.1 no such user" },
        { recipient: "carl@shop.example", action: "delayed", status: "4.4.1", diagnostic: null }
      ],
      originalMessageId: "<0ut.77@shop.example>"
    })
    expect(text).toBe("Sorry.")
    expect(attachments).toEqual([])
  })

  it("find the original id in bare headers", () => {
    const status = "Content-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; a@b.co\r\nAction: failed\r\n"
    const headers = "Content-Type: text/rfc822-headers\r\n\r\nSubject: Offer\r\nMessage-ID: <0ut.78@shop.example>\r\n"
    expect(mail(notice, status, headers).report).toMatchObject({
      statuses: [{ recipient: "a@b.co", status: null }],
      originalMessageId: "<0ut.78@shop.example>"
    })
  })

  it("are absent from mail that only resembles one", () => {
    expect(mail(notice, original).report).toBeNull()
  })

  it("are read from a block that a relay encoded", () => {
    const block = Buffer.from("Final-Recipient: rfc822; a@b.co\nAction: failed\n").toString("base64")
    const status = `Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\nContent-Transfer-Encoding: base64\r\n\r\n${block}\r\n`
    expect(mail(notice, status).report?.statuses).toHaveLength(1)
  })
})

/** Returns a report whose status part has the given lines. */
const reportOf = (...lines: ReadonlyArray<string>) =>
  mail(notice, ["Content-Type: message/delivery-status", "", ...lines].join("\r\n"), original).report

describe("delivery status notifications of non-standard reporters", () => {
  const failed = { recipient: "bob@shop.example", action: "failed", status: "5.1.1" }
  const dee = { recipient: "dee@shop.example", action: "failed", status: "5.2.1" }

  it("may have blank lines between the fields of one recipient", () => {
    const report = reportOf(
      "Reporting-MTA: dns; mx.example",
      "",
      "Final-Recipient: rfc822; bob@shop.example",
      "",
      "Action: failed",
      "",
      "",
      "Status: 5.1.1",
      "",
      "Final-Recipient: rfc822; dee@shop.example",
      "",
      "Action: failed",
      " ",
      "Status: 5.2.1"
    )
    expect(report?.statuses).toMatchObject([failed, dee])
  })

  it("may have no blank line between recipients", () => {
    const report = reportOf(
      "Reporting-MTA: dns; mx.example",
      "Original-Recipient: rfc822; bob@shop.example",
      "Final-Recipient: rfc822; bob@forwarded.example",
      "Action: failed",
      "Status: 5.1.1",
      "Original-Recipient: rfc822; dee@shop.example",
      "Final-Recipient: rfc822; dee@forwarded.example",
      "Action: failed",
      "Status: 5.2.1"
    )
    expect(report?.statuses).toMatchObject([failed, dee])
  })

  it("may lack the blank line after the headers of the part", () => {
    const status =
      "Content-Type: message/delivery-status\r\nFinal-Recipient: rfc822; bob@shop.example\r\nStatus: 5.1.1\r\n"
    expect(mail(notice, status, original).report?.statuses).toMatchObject([failed])
  })

  it.each([
    ["Status: 5.1.1", "failed", "5.1.1"],
    ["Status: 4.4.1", "delayed", "4.4.1"],
    ["Diagnostic-Code: smtp; 550 5.1.1 no such user", "failed", "5.1.1"],
    ["Diagnostic-Code: smtp; 550 no such user", "failed", null],
    ["Action: Failure\r\nStatus: 5.0.0 (undefined)", "failed", "5.0.0"]
  ])("may contain only %j as the outcome", (field, action, status) => {
    expect(reportOf("Final-Recipient: bob@shop.example", field)?.statuses).toMatchObject([
      { recipient: "bob@shop.example", action, status }
    ])
  })

  it.each([
    ["rfc822; bob@removed", "bob@removed"],
    ["utf-8; bj\\x{F6}rn@shop.example", "björn@shop.example"],
    ["rfc822; <redacted>", "dee@shop.example"],
    ["rfc822; undisclosed", "dee@shop.example"]
  ])("may hide the address as %j", (recipient, expected) => {
    const status = `Content-Type: message/delivery-status\r\n\r\nFinal-Recipient: ${recipient}\r\nAction: failed\r\n`
    const copy =
      "Content-Type: text/rfc822-headers\r\n\r\nMessage-ID: <0ut.77@shop.example>\r\nTo: Dee <dee@shop.example>\r\n"
    expect(mail(notice, status, copy).report?.statuses).toMatchObject([{ recipient: expected, action: "failed" }])
  })

  it("may have a wrong part type and the original id elsewhere", () => {
    const status =
      "Content-Type: text/plain\r\n\r\nX-Original-Message-ID: <0ut.79@shop.example>\r\n\r\nFinal-Recipient: rfc822; bob@shop.example\r\nAction: failed\r\n"
    expect(mail(notice, status).report).toMatchObject({
      statuses: [{ recipient: "bob@shop.example" }],
      originalMessageId: "<0ut.79@shop.example>"
    })
  })
})

const status =
  "Content-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; bob@shop.example\r\nAction: failed\r\n"
const report = ["--r", notice, "--r", status, "--r", original, "--r--", ""].join("\r\n")
const inner = `Content-Type: multipart/report; report-type=delivery-status; boundary=r\r\n\r\n${report}`

/** Returns a mail with a report inside. */
const wrapped = (headers: ReadonlyArray<string>, ...parts: ReadonlyArray<string>) =>
  parseMail(
    Buffer.from(
      [
        ...headers,
        "Content-Type: multipart/mixed; boundary=b",
        "",
        ...parts.flatMap((part) => ["--b", part]),
        "--b--",
        ""
      ].join("\r\n")
    )
  )

describe("a report inside another mail", () => {
  const attached = `Content-Type: message/rfc822\r\n\r\nFrom: mailer-daemon@mx.example\r\n${inner}`
  const found = { statuses: [{ recipient: "bob@shop.example" }], originalMessageId: "<0ut.77@shop.example>" }

  it.each([
    ["part by part", inner],
    ["as an attached message", attached],
    ["as an attached message two deep", `Content-Type: message/rfc822\r\n\r\nSubject: x\r\n${attached}`]
  ])("is read when a mail system forwards it %s", (_, part) => {
    const gateway = ["From: Mail Delivery System <postmaster@mx.example>", "Subject: Undeliverable: Offer"]
    expect(wrapped(gateway, notice, part).report).toMatchObject(found)
  })

  it.each([inner, attached])("is ignored when a person forwards it", (part) => {
    const { report } = wrapped(["From: Bob <bob@shop.example>", "Subject: Fwd: Undeliverable: Offer"], notice, part)
    expect(report).toBeNull()
  })
})

describe("text-only reports", () => {
  const readReport = (headers: ReadonlyArray<string>, ...lines: ReadonlyArray<string>) =>
    parseMail(Buffer.from([...headers, "", ...lines, ""].join("\r\n"))).report
  const daemon = ["From: MAILER-DAEMON@mx.example", "Return-Path: <>", "Subject: failure notice"]
  const copy = [
    "Return-Path: <us@shop.example>",
    "Received: from shop",
    "Message-ID: <0ut.80@shop.example>",
    "To: bob@x.example"
  ]

  it("are read as qmail writes them", () => {
    const report = readReport(
      daemon,
      "Hi. This is the qmail-send program at mx.example.",
      "",
      "<bob@x.example>:",
      "192.0.2.7 does not like recipient.",
      "Remote host said: 550 5.1.1 User unknown",
      "Giving up on 192.0.2.7.",
      "",
      "--- Below this line is a copy of the message.",
      "",
      ...copy
    )
    expect(report).toMatchObject({
      statuses: [{ recipient: "bob@x.example", action: "failed", status: "5.1.1" }],
      originalMessageId: "<0ut.80@shop.example>"
    })
  })

  it("are read as Exim writes them", () => {
    const report = readReport(
      [
        "From: Mail Delivery System <Mailer-Daemon@mx.example>",
        "X-Failed-Recipients: bob@x.example",
        "Subject: Mail delivery failed"
      ],
      "A message that you sent could not be delivered to one or more of its recipients.",
      "",
      "  bob@x.example",
      "    SMTP error from remote mail server after RCPT TO:<bob@x.example>:",
      "    host mx.x.example [192.0.2.7]: 550 5.7.1 Refused",
      "",
      "------ This is a copy of the message, including all the headers. ------",
      "",
      ...copy
    )
    expect(report).toMatchObject({
      statuses: [{ recipient: "bob@x.example", action: "failed", status: "5.7.1" }],
      originalMessageId: "<0ut.80@shop.example>"
    })
  })

  it("distinguish a delay from a failure", () => {
    const text = "<bob@x.example>: host mx.x.example said: 451 4.3.0 try later (in reply to RCPT TO)"
    expect(readReport(daemon, text, "", ...copy)?.statuses).toMatchObject([{ action: "delayed", status: "4.3.0" }])
    const late = ["<bob@x.example>:", "Could not connect. (#4.4.1)", "I'm not going to try again."]
    expect(readReport(daemon, ...late, "", ...copy)?.statuses).toMatchObject([{ action: "failed", status: "4.4.1" }])
  })

  it("are absent from a person's mail that quotes one", () => {
    const person = ["From: Ann <ann@x.example>", "Subject: Re: failure notice"]
    const quoted = ["I got this back, what is wrong?", "", "<bob@x.example>:", "550 5.1.1 User unknown", "", ...copy]
    expect(readReport(person, ...quoted)).toBeNull()
    expect(readReport(["From: Ann <ann@x.example>", "Subject: failure notice"], ...quoted)).toBeNull()
  })
})

describe("abuse reports", () => {
  it("name the complainant and the mail", () => {
    const feedback = [
      "Content-Type: message/feedback-report",
      "",
      "Feedback-Type: abuse",
      "Original-Rcpt-To: <Bob@shop.example>",
      "Original-Rcpt-To: bob@shop.example",
      "Source-IP: 192.0.2.1",
      ""
    ].join("\r\n")
    const { complaint, report } = mail(notice, feedback, original)
    expect(complaint).toEqual({
      feedbackType: "abuse",
      recipients: ["bob@shop.example"],
      originalMessageId: "<0ut.77@shop.example>"
    })
    expect(report).toBeNull()
  })

  it("are absent from all other mail", () => {
    expect("complaint" in mail(notice)).toBe(false)
  })
})
