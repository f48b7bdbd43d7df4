import { inMemoryMailParser } from "@leadloom/testkit/memory/MailParser"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { classifyAuto } from "../../../src/domain/email/AutoMail.ts"
import { headerValues, withReturnPath } from "../../../src/domain/email/ParsedMail.ts"
import { MailParser } from "../../../src/port/provider/MailParser.ts"

const parse = (text: string) =>
  Effect.runSync(
    Effect.provide(
      Effect.flatMap(MailParser, (parser) =>
        parser.parse(new TextEncoder().encode(text), { flow: "acme", mediaType: "message/rfc822" })
      ),
      inMemoryMailParser
    )
  )

it("the return path of a mail is that of its envelope, whatever the mail says", () => {
  const mail = parse("Return-Path: <>\r\nFrom: jo@customer.example\r\nSubject: Hello\r\n\r\nHello")
  const handedOver = withReturnPath(mail, { sender: "jo@customer.example" })
  expect(headerValues(handedOver, "return-path")).toEqual(["<jo@customer.example>"])
  expect(classifyAuto(handedOver).auto).toBeNull()
  expect(classifyAuto(withReturnPath(mail, { sender: "" })).auto).toBe("auto_reply")
})
