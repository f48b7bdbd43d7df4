import { inMemoryMailParser } from "@leadloom/testkit/memory/MailParser"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { MailParser } from "../../../src/port/provider/MailParser.ts"

const of = { flow: "acme", mediaType: "message/rfc822" }
const bytes = (text: string) => new TextEncoder().encode(text)

it.effect("reads headers and body of plain text", () =>
  Effect.gen(function* () {
    const parser = yield* MailParser
    const mail = yield* parser.parse(
      bytes("From: Ada <ada@example.org>\r\nSubject: Grüße\r\n\r\nHello,\r\nBob\r\n"),
      of
    )
    expect(mail).toMatchObject({
      from: [{ email: "ada@example.org", name: "Ada" }],
      subject: "Grüße",
      text: "Hello,\nBob\n",
      html: null
    })
  }).pipe(Effect.provide(inMemoryMailParser))
)

it.effect("has a mail for every input", () =>
  Effect.gen(function* () {
    const parser = yield* MailParser
    const mail = yield* parser.parse(new Uint8Array([0xff, 0x00, 0xfe, 0x0a]), of)
    expect(mail.defects.length).toBeGreaterThan(0)
    expect(mail.text).not.toContain("\0")
  }).pipe(Effect.provide(inMemoryMailParser))
)
