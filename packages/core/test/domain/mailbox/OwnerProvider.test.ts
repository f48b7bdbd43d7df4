import { describe, expect, it } from "vitest"
import { storesSentMail } from "../../../src/domain/mailbox/MailboxJob.ts"
import { ownerProviderOf } from "../../../src/domain/mailbox/OwnerProvider.ts"

describe("the provider at which the owner of a mailbox signs in", () => {
  it.each([
    ["imap.gmail.com", "google"],
    ["smtp.gmail.com", "google"],
    ["outlook.office365.com", "microsoft"],
    ["smtp-mail.outlook.com", "microsoft"],
    ["outlook-dod.office365.us", "microsoft"],
    ["smtp.partner.outlook.cn", "microsoft"],
    ["imap.mail.yahoo.com", null],
    ["gmail.com.evil.example", null],
    ["notgmail.com", null],
    ["constructor", null],
    ["127.0.0.1", null]
  ])("follows from the mail server %s", (host, provider) => {
    expect(ownerProviderOf(host)).toBe(provider)
    expect(storesSentMail(host)).toBe(provider !== null)
  })
})
