import { describe, expect, it } from "vitest"
import { readBounce } from "../../../src/domain/email/Bounce.ts"
import type { DeliveryReport, DeliveryStatus } from "../../../src/domain/email/ParsedMail.ts"

const status = (change: Partial<DeliveryStatus> = {}): DeliveryStatus => ({
  recipient: "Bob@Example.org",
  action: "failed",
  status: "5.1.1",
  diagnostic: "550 no such user",
  ...change
})

const report = (change: Partial<DeliveryReport> = {}): DeliveryReport => ({
  statuses: [status()],
  originalMessageId: "<0ut.77@shop.example>",
  ...change
})

describe("readBounce", () => {
  it("returns the failed recipients and the original mail", () => {
    expect(readBounce({ report: report() })).toEqual({
      recipients: [
        {
          email: "bob@example.org",
          lost: true,
          hard: true,
          closed: true,
          status: "5.1.1",
          diagnostic: "550 no such user"
        }
      ],
      hard: true,
      originalMessageId: "0ut.77@shop.example"
    })
  })

  it("ignores a report without action, recipient or original id", () => {
    expect(readBounce({ report: null })).toBeNull()
    expect(readBounce({ report: report({ originalMessageId: null }) })).toBeNull()
    expect(readBounce({ report: report({ originalMessageId: "<not an id>" }) })).toBeNull()
    expect(readBounce({ report: report({ statuses: [] }) })).toBeNull()
    expect(readBounce({ report: report({ statuses: [status({ recipient: "postmaster" })] }) })).toBeNull()
  })

  it("leaves out recipients that were reached", () => {
    const statuses = [status({ action: "delivered" }), status({ action: "relayed" }), status({ action: "expanded" })]
    expect(readBounce({ report: report({ statuses }) })).toBeNull()
    expect(readBounce({ report: report({ statuses: [...statuses, status()] }) })?.recipients).toHaveLength(1)
  })

  it("separates delays and temporary failures from permanent ones", () => {
    const hard = (change: Partial<DeliveryStatus>) =>
      readBounce({ report: report({ statuses: [status(change)] }) })?.hard
    expect(hard({ action: "delayed", status: "4.4.1" })).toBe(false)
    expect(hard({ action: "delayed", status: null })).toBe(false)
    expect(hard({ action: "failed", status: "4.2.2" })).toBe(false)
    expect(hard({ action: "failed", status: null })).toBe(true)
  })

  it.each<readonly [status: string | null, lost: boolean, closed: boolean, action: DeliveryStatus["action"]]>([
    ["5.1.1", true, true, "failed"],
    ["5.1.2", true, true, "failed"],
    ["5.2.1", true, true, "failed"],
    ["5.4.4", true, true, "failed"],
    ["5.0.0", true, true, "failed"],
    [null, true, true, "failed"],
    ["4.4.1", true, false, "failed"],
    ["5.1.8", true, false, "failed"],
    ["5.2.2", true, false, "failed"],
    ["5.3.4", true, false, "failed"],
    ["5.6.0", true, false, "failed"],
    ["5.7.1", true, false, "failed"],
    ["5.7.26", true, false, "failed"],
    ["4.4.1", false, false, "delayed"]
  ])("classifies status %s: hard bounce %s, address closed %s", (code, lost, closed, action) => {
    const statuses = [status({ status: code, action })]
    const [recipient] = readBounce({ report: report({ statuses }) })?.recipients ?? []
    expect([recipient?.lost, recipient?.closed]).toEqual([lost, closed])
  })
})
