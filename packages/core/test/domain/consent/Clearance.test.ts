import { describe, expect, expectTypeOf, it } from "vitest"
import { type Clearance, grantClearance } from "../../../src/domain/consent/Clearance.ts"
import type { EmailTransport } from "../../../src/port/provider/EmailTransport.ts"
import type { SmsProvider } from "../../../src/port/provider/SmsProvider.ts"

describe("the way to a person", () => {
  it("asks for a clearance, whatever carries the message", () => {
    expectTypeOf<Parameters<EmailTransport["Service"]["send"]>[1]>().toEqualTypeOf<Clearance>()
    expectTypeOf<Parameters<SmsProvider["Service"]["send"]>[1]>().toEqualTypeOf<Clearance>()
  })

  it("is opened by nothing that only looks like a clearance", () => {
    expectTypeOf<{ readonly covers: Clearance["covers"] }>().not.toExtend<Clearance>()
    expectTypeOf<Readonly<Record<string, unknown>>>().not.toExtend<Clearance>()
  })

  it("leads to nobody beyond those it was asked for", () => {
    const going = { tenantId: "acme", channel: "sms", recipients: ["+15550100001"] } as const
    const clearance = grantClearance(going)
    expect(clearance.covers(going)).toBe(true)
    expect(clearance.covers({ ...going, recipients: [] })).toBe(false)
    expect(clearance.covers({ ...going, recipients: ["+15550100001", "+15550100002"] })).toBe(false)
    expect(clearance.covers({ ...going, channel: "voice" })).toBe(false)
    expect(clearance.covers({ ...going, tenantId: "other" })).toBe(false)
  })
})
