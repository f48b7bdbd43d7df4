import { describe, expect, it } from "vitest"
import {
  type CallSendContext,
  type ForwardSendContext,
  type MailSendContext,
  maySend as decide,
  type ReplySendContext,
  type SendContext,
  type TextSendContext
} from "../../../src/domain/consent/MaySend.ts"
import { describeReason } from "../../../src/domain/reason/Reason.ts"
import type { SendOverride } from "../../../src/domain/consent/Override.ts"

/** Decides, with the texts of the reasons. */
const maySend = (of: SendContext) => {
  const verdict = decide(of)
  switch (verdict._tag) {
    case "Allow":
      return verdict
    case "Defer":
      return { ...verdict, reason: describeReason(verdict.reason) }
    case "Deny":
      return { ...verdict, reasons: verdict.reasons.map((one) => describeReason(one)) }
  }
}

const fine: ReplySendContext = {
  channel: "email",
  by: "nobody",
  tenantId: "acme",
  hipaa: false,
  auto: null,
  flags: [],
  recipient: "jo@customer.example",
  ownAddresses: ["sales@acme.com"],
  tenantDomain: "acme.com",
  optedOut: false,
  undeliverable: null,
  diverted: null,
  repliesInThread: 2,
  repliesToCorrespondent: 4,
  now: 1_000,
  slotAt: 1_000
}

describe("an automatic reply", () => {
  it("is allowed when nothing prevents it", () => {
    const verdict = maySend(fine)
    const target = { tenantId: "acme", channel: "email", recipients: ["jo@customer.example"] } as const
    expect(verdict._tag === "Allow" && verdict.clearance.covers(target)).toBe(true)
    for (const other of [
      { tenantId: "other" },
      { channel: "sms" as const },
      { recipients: [] },
      { recipients: ["jo@customer.example", "al@b.example"] }
    ])
      expect(verdict._tag === "Allow" && verdict.clearance.covers({ ...target, ...other })).toBe(false)
  })

  it("waits for the hourly limit", () => {
    expect(maySend({ ...fine, slotAt: 1_001 })).toEqual({
      _tag: "Defer",
      until: 1_001,
      reason: "the hourly send limit is reached",
      overridden: null
    })
  })

  it.each<readonly [because: string, changes: Partial<ReplySendContext>]>([
    ["HIPAA", { hipaa: true }],
    ["no connected email account", { ownAddresses: null }],
    ["automatic mail (list)", { auto: "list" }],
    ["automatic mail (bounce)", { auto: "bounce" }],
    ["must not be answered", { flags: ["no_auto_reply"] }],
    ["new to this thread", { flags: ["sender_unverified"] }],
    ["no valid recipient address", { recipient: null }],
    ["no valid recipient address", { recipient: "not an address" }],
    ["unattended mailbox", { recipient: "no-reply@customer.example" }],
    ["unattended mailbox", { recipient: "mailer-daemon@customer.example" }],
    ["own addresses", { recipient: "sales@acme.com", tenantDomain: null }],
    ["own addresses", { recipient: "boss@acme.com" }],
    ["550 gone", { undeliverable: "550 gone" }],
    ["not a known address", { diverted: { code: "foreign_reply_to", email: "a@b.example" } }],
    ["no person has written", { repliesInThread: 3 }],
    ["24 hours", { repliesToCorrespondent: 5 }]
  ])("is denied with the reason: %s", (because, changes) => {
    const verdict = maySend({ ...fine, ...changes, slotAt: 9_999 })
    expect(verdict).toEqual({ _tag: "Deny", reasons: [expect.stringContaining(because)], overridable: [] })
  })

  it("is denied with all applicable reasons", () => {
    const verdict = maySend({ ...fine, hipaa: true, repliesInThread: 9, undeliverable: "gone" })
    expect(verdict._tag === "Deny" && verdict.reasons.length).toBe(3)
  })
})

const text: TextSendContext = {
  channel: "sms",
  by: "nobody",
  tenantId: "acme",
  hipaa: true,
  recipient: "+15005550006",
  sender: "+15005550001",
  optedOut: false,
  blocked: false,
  undeliverable: null,
  override: null,
  quietUntil: null,
  repliesInThread: 2,
  repliesToCorrespondent: 4,
  now: 1_000
}

const call: CallSendContext = {
  channel: "voice",
  by: "person",
  tenantId: "acme",
  hipaa: false,
  recipient: "+15005550006",
  sender: "+15005550001",
  optedOut: false,
  blocked: false,
  undeliverable: null,
  override: null,
  quietUntil: null,
  now: 1_000
}

describe.each([
  ["a text", text],
  ["a call", call]
] as const)("%s to a number", (_, allowed) => {
  it("is allowed when nothing prevents it", () => {
    const verdict = maySend(allowed)
    const target = { tenantId: "acme", channel: allowed.channel, recipients: ["+15005550006"] }
    expect(verdict._tag === "Allow" && verdict.clearance.covers(target)).toBe(true)
  })

  it("waits for the end of the quiet hours and is never dropped", () => {
    expect(maySend({ ...allowed, quietUntil: 2_000 })).toEqual({
      _tag: "Defer",
      until: 2_000,
      reason: "quiet hours",
      overridden: null
    })
    expect(maySend({ ...allowed, quietUntil: 1_000 })._tag).toBe("Allow")
  })

  it.each([
    ["no number", { recipient: null }],
    ["no number to send from", { sender: null }],
    ["the tenant's own", { recipient: "+15005550001" }],
    ["opted out", { optedOut: true }],
    ["blocklist", { blocked: true }],
    ["30005 unknown", { undeliverable: "30005 unknown" }]
  ])("is denied for a person and for a rule, with the reason: %s", (because, changes) => {
    for (const by of ["person", "nobody"] as const)
      expect(maySend({ ...allowed, ...changes, by, quietUntil: 9_999 })).toEqual({
        _tag: "Deny",
        reasons: [expect.stringContaining(because)],
        overridable: because === "30005 unknown" ? ["undeliverable"] : []
      })
  })

  it("reaches an undeliverable number when a person overrides that reason, but never automatically", () => {
    const override: SendOverride = { reasons: ["undeliverable"], by: "user:kim" }
    const gone = { ...allowed, undeliverable: "30005 unknown", override }
    expect(maySend({ ...gone, by: "person" })).toMatchObject({ _tag: "Allow", overridden: override })
    expect(maySend({ ...gone, by: "person", quietUntil: 2_000 })).toMatchObject({ _tag: "Defer", overridden: override })
    expect(maySend({ ...gone, by: "person", optedOut: true })).toMatchObject({ _tag: "Deny", overridable: [] })
    expect(maySend({ ...gone, by: "nobody" })._tag).toBe("Deny")
  })
})

describe("the budget of automatic texts", () => {
  it("applies only to automatic texts", () => {
    const spent = { ...text, repliesInThread: 3, repliesToCorrespondent: 5 }
    expect(maySend(spent)).toMatchObject({ _tag: "Deny", reasons: [expect.anything(), expect.anything()] })
    expect(maySend({ ...spent, by: "person" })._tag).toBe("Allow")
  })
})

describe("an email from a person", () => {
  it("is denied only when email is closed, no account is connected, or it has no recipient", () => {
    const mail = {
      channel: "email",
      by: "person",
      tenantId: "acme",
      hipaa: false,
      connected: true,
      now: 0,
      optedOut: false,
      recipients: ["a@b.example"],
      undeliverable: [],
      override: null,
      quietUntil: null
    } as const
    expect(maySend(mail)._tag).toBe("Allow")
    expect(maySend({ ...mail, quietUntil: 7 })).toMatchObject({ _tag: "Defer", until: 7 })
    for (const changes of [{ hipaa: true }, { connected: false }, { recipients: [] }])
      expect(maySend({ ...mail, ...changes })._tag).toBe("Deny")
  })

  const gone = { address: "a@b.example", reason: "550 gone" }
  const mail: MailSendContext = {
    channel: "email",
    by: "person",
    tenantId: "acme",
    hipaa: false,
    connected: true,
    now: 0,
    optedOut: false,
    recipients: ["a@b.example", "c@d.example"],
    undeliverable: [gone],
    override: null,
    quietUntil: null
  }
  const override: SendOverride = { reasons: ["undeliverable"], by: "user:kim" }

  it("is denied for an undeliverable address, with the address and the reason", () => {
    expect(maySend(mail)).toEqual({
      _tag: "Deny",
      reasons: ["mail to a@b.example is returned: 550 gone"],
      overridable: ["undeliverable"]
    })
  })

  it("is allowed when a person overrides that reason, and the receipt names the person", () => {
    expect(maySend({ ...mail, override })).toMatchObject({ _tag: "Allow", overridden: override })
    expect(maySend({ ...mail, undeliverable: [], override })).toMatchObject({ _tag: "Allow", overridden: null })
    expect(maySend({ ...mail, override: { ...override, reasons: [] } })._tag).toBe("Deny")
  })

  it("is denied for all other reasons, and then no reason can be overridden", () => {
    expect(maySend({ ...mail, hipaa: true, override })).toMatchObject({ _tag: "Deny", overridable: [] })
    expect(maySend({ ...mail, hipaa: true })).toMatchObject({ _tag: "Deny", overridable: [] })
  })
})

const forward: ForwardSendContext = {
  channel: "email",
  by: "rule",
  tenantId: "acme",
  hipaa: false,
  auto: null,
  flags: [],
  unparsed: false,
  recipients: ["claims@insurer.example", "al@b.example"],
  connected: true,
  toSelf: false,
  toContact: false,
  optedOut: false,
  undeliverable: [],
  sentToRecipient: 49,
  now: 1_000,
  quietUntil: null
}

describe("an email that a rule forwards", () => {
  it("is allowed for exactly its recipients, also if the sender asks for no automatic replies", () => {
    const verdict = maySend({ ...forward, flags: ["no_auto_reply"] })
    const target = { tenantId: "acme", channel: "email", recipients: forward.recipients } as const
    expect(verdict._tag === "Allow" && verdict.clearance.covers(target)).toBe(true)
    const others = [...forward.recipients, "eve@evil.example"]
    expect(verdict._tag === "Allow" && verdict.clearance.covers({ ...target, recipients: others })).toBe(false)
  })

  it("waits for the end of the quiet hours", () => {
    expect(maySend({ ...forward, quietUntil: 2_000 })).toMatchObject({ _tag: "Defer", until: 2_000 })
    expect(maySend({ ...forward, quietUntil: 1_000 })._tag).toBe("Allow")
  })

  const returned = [{ address: "al@b.example", reason: "550 gone" }]
  it.each([
    [{ hipaa: true }, "email is disabled for a HIPAA tenant"],
    [{ connected: false }, "no connected email account can send"],
    [{ unparsed: true }, "the message could not be parsed; a person has to read its source"],
    [{ auto: "list" }, "automatic mail (list) is never forwarded by a rule"],
    [{ flags: ["sender_unverified"] }, "the sender is not verified"],
    [{ recipients: [] }, "there is no valid recipient address"],
    [{ toSelf: true }, "the address is one of the tenant's own addresses"],
    [{ toContact: true }, "a recipient is the sender of the email or an address of the contact"],
    [{ optedOut: true }, "the contact has opted out"],
    [{ undeliverable: returned }, "mail to al@b.example is returned: 550 gone"],
    [{ sentToRecipient: 50 }, "50 automatic emails were sent to a recipient within 24 hours"]
  ] satisfies ReadonlyArray<readonly [Partial<ForwardSendContext>, string]>)("is denied for %o", (change, reason) => {
    const verdict = maySend({ ...forward, ...change })
    expect(verdict._tag === "Deny" && verdict.reasons.join()).toContain(reason)
  })
})
