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
  it("are read recipient by recipient", () => {
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

  it("are absent from mail that only looks like one", () => {
    expect(mail(notice, original).report).toBeNull()
  })

  it("are read from a block that a relay encoded", () => {
    const block = Buffer.from("Final-Recipient: rfc822; a@b.co\nAction: failed\n").toString("base64")
    const status = `Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\nContent-Transfer-Encoding: base64\r\n\r\n${block}\r\n`
    expect(mail(notice, status).report?.statuses).toHaveLength(1)
  })
})

describe("abuse reports", () => {
  it("name who complained about which mail", () => {
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
