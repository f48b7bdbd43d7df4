import { describe, expect, it } from "vitest"
import { maxScheduleMillis, readSendTime, SendTimeInvalid } from "../../../src/domain/sending/SendTime.ts"

const now = Date.parse("2026-03-02T09:00:00Z")
const zones = { contact: "America/New_York", tenant: "Europe/Berlin" }
const read = (text: string, zone: "contact" | "tenant" | null = null) =>
  readSendTime({ text, zone }, (named) => zones[named], now)

const iso = (result: ReturnType<typeof read>): string =>
  result instanceof SendTimeInvalid ? `${result.field}: ${result.message}` : new Date(result).toISOString()

describe("the time of a scheduled message", () => {
  it.each([
    ["2026-03-02T10:30:00+01:00", null, "2026-03-02T09:30:00.000Z"],
    ["2026-03-02T09:30:15.250Z", null, "2026-03-02T09:30:15.250Z"],
    ["2026-03-02T10:30", "tenant", "2026-03-02T09:30:00.000Z"],
    ["2026-03-02 10:30:20", "contact", "2026-03-02T15:30:20.000Z"],
    // The clocks of New York skip 02:30 on 8 March 2026.
    ["2026-03-08T02:30:00", "contact", "2026-03-08T07:30:00.000Z"],
    // The clocks of Berlin repeat 02:30 on 25 October 2026: the first one counts.
    ["2026-10-25T02:30:00", "tenant", "2026-10-25T00:30:00.000Z"]
  ] as const)("reads %s in the zone %s", (text, zone, expected) => {
    expect(iso(read(text, zone))).toBe(expected)
  })

  it.each([
    ["2026-03-02T10:30", null, "time_zone"],
    ["2026-03-02T10:30Z", "tenant", "time_zone"],
    ["tomorrow", null, "send_at"],
    ["2026-02-30T10:30", "tenant", "send_at"],
    ["2026-03-03T25:00", "tenant", "send_at"],
    ["2026-03-02T08:59:59Z", null, "send_at"],
    [new Date(now + maxScheduleMillis + 1).toISOString(), null, "send_at"]
  ] as const)("rejects %s in the zone %s", (text, zone, field) => {
    expect(read(text, zone)).toMatchObject({ _tag: "SendTimeInvalid", field })
  })
})
