import { describe, expect, it } from "vitest"
import { timeFactsIn } from "../../../src/domain/time/TimeFacts.ts"

const at = (zone: string, iso: string) => timeFactsIn(zone)?.(Date.parse(iso))

describe("timeFactsIn", () => {
  it("returns the tenant's local time, including daylight saving", () => {
    expect(at("UTC", "2026-11-21T00:00:00Z")).toEqual({ hour: 0, minuteOfDay: 0, weekday: "sat", date: "2026-11-21" })
    expect(at("America/New_York", "2026-11-21T03:59:00Z")).toEqual({
      hour: 22,
      minuteOfDay: 22 * 60 + 59,
      weekday: "fri",
      date: "2026-11-20"
    })
    expect(at("America/New_York", "2026-07-01T03:59:00Z")?.hour).toBe(23)
    expect(at("Asia/Kathmandu", "2026-11-21T00:00:00Z")?.minuteOfDay).toBe(5 * 60 + 45)
    expect(at("Pacific/Auckland", "2026-12-31T12:00:00Z")?.date).toBe("2027-01-01")
  })

  it("returns the same facts within a minute, and others before and after it", () => {
    const read = timeFactsIn("Asia/Kathmandu")
    const minutes = ["00:00:00.000Z", "00:00:59.999Z", "00:01:00Z", "00:00:30Z", "00:02:00Z"]
    expect(minutes.map((time) => read?.(Date.parse(`2026-11-21T${time}`)).minuteOfDay)).toEqual([
      345, 345, 346, 345, 347
    ])
  })

  it("returns null for an unknown zone", () => {
    expect(timeFactsIn("Mars/Olympus")).toBeNull()
    expect(timeFactsIn("")).toBeNull()
  })
})
