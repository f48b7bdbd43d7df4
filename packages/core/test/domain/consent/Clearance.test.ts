import { describe, expect, expectTypeOf, it } from "vitest"
import { type Clearance, grantClearance } from "../../../src/domain/consent/Clearance.ts"
import type { EmailTransport } from "../../../src/port/provider/EmailTransport.ts"
import type { SmsProvider } from "../../../src/port/provider/SmsProvider.ts"

describe("a clearance", () => {
  it("is required by every transport", () => {
    expectTypeOf<Parameters<EmailTransport["Service"]["send"]>[1]>().toEqualTypeOf<Clearance>()
    expectTypeOf<Parameters<SmsProvider["Service"]["send"]>[1]>().toEqualTypeOf<Clearance>()
  })

  it("is not assignable from an object that only looks like one", () => {
    expectTypeOf<{ readonly covers: Clearance["covers"] }>().not.toExtend<Clearance>()
    expectTypeOf<Readonly<Record<string, unknown>>>().not.toExtend<Clearance>()
  })

  it("covers only its own tenant, channel and recipients", () => {
    const target = { tenantId: "acme", channel: "sms", recipients: ["+15550100001"] } as const
    const clearance = grantClearance(target)
    expect(clearance.covers(target)).toBe(true)
    expect(clearance.covers({ ...target, recipients: [] })).toBe(false)
    expect(clearance.covers({ ...target, recipients: ["+15550100001", "+15550100002"] })).toBe(false)
    expect(clearance.covers({ ...target, channel: "voice" })).toBe(false)
    expect(clearance.covers({ ...target, tenantId: "other" })).toBe(false)
  })
})
