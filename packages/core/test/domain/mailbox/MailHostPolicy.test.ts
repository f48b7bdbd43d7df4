import { describe, expect, it } from "vitest"
import { checkMailServer, type MailProtocol } from "../../../src/domain/mailbox/MailHostPolicy.ts"
import type { MailServer } from "../../../src/domain/mailbox/MailServer.ts"

const policy = { allowHosts: [{ host: "mail.internal", port: 1143 }] }
const server: MailServer = { host: "imap.acme.com", port: 993, security: "tls" }

const check = (changes: Partial<MailServer>, protocol: MailProtocol = "imap") =>
  checkMailServer({ ...server, ...changes }, protocol, policy)

describe("a mail server that a tenant sets", () => {
  it("is permitted if it is public, encrypted and on a port of mail servers", () => {
    expect(check({})).toEqual({ host: "imap.acme.com", isAllowed: false })
    expect(check({ host: "IMAP.Acme.com", port: 143, security: "starttls" })).toMatchObject({ host: "imap.acme.com" })
    expect(check({ port: 587, security: "starttls" }, "smtp")).toMatchObject({ isAllowed: false })
    expect(check({ host: "2a00:1450:4001::1" })).toMatchObject({ host: "2a00:1450:4001::1" })
  })

  it.each<readonly [field: string, changes: Partial<MailServer>]>([
    ["host", { host: "127.0.0.1" }],
    ["host", { host: "::1" }],
    ["host", { host: "[fd00::1]" }],
    ["host", { host: "169.254.169.254" }],
    ["host", { host: "localhost" }],
    ["host", { host: "mail.internal" }],
    ["host", { host: "0x7f.1" }],
    ["host", { host: "imap.acme.com." }],
    ["host", { host: "user@imap.acme.com" }],
    ["port", { port: 22 }],
    ["port", { port: 587 }],
    ["security", { security: "none", port: 143 }]
  ])("is refused because of its %s: %j", (field, changes) => {
    expect(check(changes)).toMatchObject({ field })
  })

  it("may be any host and port that the operator permits", () => {
    expect(check({ host: "mail.internal", port: 1143, security: "none" })).toEqual({
      host: "mail.internal",
      isAllowed: true
    })
    expect(check({ host: "mail.internal", port: 1144, security: "none" })).toMatchObject({ field: "host" })
  })
})
