import { describe, expect, it } from "vitest"
import { classifyAuto } from "../../../src/domain/email/AutoMail.ts"
import { plainDecoding, readEnvelope, splitHeaders } from "../../../src/domain/email/MailHeaders.ts"
import type { ParsedMail } from "../../../src/domain/email/ParsedMail.ts"

const mail = (headers: string, more: Partial<ParsedMail> = {}): ParsedMail => ({
  ...readEnvelope(splitHeaders(`From: Ada <ada@example.org>\nSubject: Chairs\n${headers}`).fields, plainDecoding),
  text: "",
  html: null,
  attachments: [],
  report: null,
  ...more
})

const failed = { recipient: "bob@example.org", action: "failed", status: "5.1.1", diagnostic: null } as const

describe("classifyAuto", () => {
  it("finds nothing in mail from a person", () => {
    expect(classifyAuto(mail("Return-Path: <ada@example.org>"))).toEqual({
      auto: null,
      suppressReply: false,
      reasons: []
    })
  })

  it.each([
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated (vacation)",
    "X-Autoreply: yes",
    "X-Autorespond: Away",
    "X-Autoresponder: x",
    "Precedence: auto_reply",
    "X-Precedence: auto-reply",
    "Delivered-To: autoresponder",
    "X-Loop: Yes",
    "Return-Path: <>",
    "X-MS-Exchange-Inbox-Rules-Loop: ada@example.org\nX-Auto-Response-Suppress: All",
    "Content-Type: multipart/report; report-type=disposition-notification"
  ])("treats %j as an automatic reply", (headers) => {
    expect(classifyAuto(mail(headers))).toMatchObject({ auto: "auto_reply", suppressReply: true })
  })

  it.each([
    "Automatic reply: Chairs",
    "Out of Office: Chairs",
    "Out of the office",
    "OOO: back Monday",
    "Autoreply: hi"
  ])("treats the subject %j as an automatic reply", (subject) => {
    expect(classifyAuto(mail("", { subject })).auto).toBe("auto_reply")
  })

  it("treats the subject Auto: as an automatic reply only in a reply", () => {
    expect(classifyAuto(mail("", { subject: "Auto: for sale" })).auto).toBeNull()
    expect(classifyAuto(mail("In-Reply-To: <x7@y.io>", { subject: "Auto: away" })).auto).toBe("auto_reply")
  })

  it.each([
    "List-Id: <chairs.example.org>",
    "List-Unsubscribe: <mailto:x@y.io>",
    "Precedence: bulk",
    "Precedence: list"
  ])("treats %j as list mail", (headers) => {
    expect(classifyAuto(mail(headers))).toMatchObject({ auto: "list", suppressReply: true })
  })

  it("treats mail with Auto-Submitted: no as mail from a person", () => {
    expect(classifyAuto(mail("Auto-Submitted: no"))).toMatchObject({ auto: null, suppressReply: false })
    expect(classifyAuto(mail("Auto-Submitted: No (really)")).auto).toBeNull()
  })

  it("only suppresses replies for X-Auto-Response-Suppress, X-Loop and no-reply addresses", () => {
    const quiet = { auto: null, suppressReply: true }
    expect(classifyAuto(mail("X-Auto-Response-Suppress: OOF"))).toMatchObject(quiet)
    expect(classifyAuto(mail("X-Auto-Response-Suppress: None")).suppressReply).toBe(false)
    expect(classifyAuto(mail("X-Loop: owner@example.org"))).toMatchObject(quiet)
    expect(classifyAuto(mail("Reply-To: no-reply@example.org"))).toMatchObject(quiet)
    expect(classifyAuto(mail("", { from: [] }))).toMatchObject(quiet)
  })

  it("treats a report of a failed delivery as a bounce", () => {
    const report = { statuses: [failed], originalMessageId: null }
    expect(classifyAuto(mail("Auto-Submitted: auto-replied", { report })).auto).toBe("bounce")
    expect(classifyAuto(mail("Content-Type: multipart/report; report-type=delivery-status")).auto).toBe("bounce")
    expect(classifyAuto(mail("X-Failed-Recipients: bob@example.org")).auto).toBe("bounce")
    expect(classifyAuto(mail("Auto-Submitted: auto-generated", { subject: "Undeliverable: Chairs" })).auto).toBe(
      "bounce"
    )
    const daemon = [{ email: "MAILER-DAEMON@example.org", name: null }]
    expect(classifyAuto(mail("", { from: daemon, subject: "Returned mail: see transcript" })).auto).toBe("bounce")
    expect(classifyAuto(mail("", { from: daemon }))).toMatchObject({ auto: null, suppressReply: true })
  })

  it("does not treat a delivery receipt as a bounce", () => {
    const report = { statuses: [{ ...failed, action: "delivered" } as const], originalMessageId: null }
    expect(classifyAuto(mail("Return-Path: <>", { report })).auto).toBe("auto_reply")
  })

  it("treats an abuse report as automatic mail", () => {
    const complaint = { feedbackType: "abuse", recipients: [], originalMessageId: null }
    expect(classifyAuto(mail("", { complaint }))).toMatchObject({ auto: "auto_reply", suppressReply: true })
  })

  it("lists its reasons", () => {
    expect(classifyAuto(mail("Auto-Submitted: auto-replied\nPrecedence: bulk")).reasons).toEqual([
      "Auto-Submitted",
      "Precedence: bulk"
    ])
  })
})
