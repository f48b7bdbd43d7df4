import { describe, expect, it } from "vitest"
import { waitEnd, type WaitUntil } from "../../../src/domain/sequence/WaitUntil.ts"
import { wallClock } from "../../../src/domain/time/WallClock.ts"

const clock = wallClock("America/New_York")
const at = (text: string): number => Date.parse(text)

const end = (until: WaitUntil, base: string, date?: string, now = base) => {
  const found = waitEnd(until, clock, date === undefined ? {} : { visit: date }, at(base), at(now))
  return "at" in found ? new Date(found.at).toISOString() : found.fault
}

describe("the end of a wait", () => {
  it("is the next time of day in the contact's zone, also over a clock change", () => {
    expect(end({ time: "09:00" }, "2026-03-07T13:59:00Z")).toBe("2026-03-07T14:00:00.000Z")
    expect(end({ time: "09:00" }, "2026-03-07T14:00:00Z")).toBe("2026-03-07T14:00:00.000Z")
    expect(end({ time: "09:00" }, "2026-03-07T14:01:00Z")).toBe("2026-03-08T13:00:00.000Z")
  })

  it("is a day before or after a date of the contact, and not before the delay ends", () => {
    expect(end({ field: "visit", days: -1 }, "2026-03-02T09:00:00Z", "2026-03-09")).toBe("2026-03-08T13:00:00.000Z")
    expect(end({ field: "visit", time: "18:30" }, "2026-03-02T09:00:00Z", "2026-03-09")).toBe(
      "2026-03-09T22:30:00.000Z"
    )
    expect(end({ field: "visit" }, "2026-03-09T20:00:00Z", "2026-03-09")).toBe("2026-03-09T20:00:00.000Z")
  })

  it("is missing without a date, for a text that is none, and a day after the date", () => {
    const until = { field: "visit" }
    expect(end(until, "2026-03-02T09:00:00Z")).toBe("the contact has no date in the field visit")
    expect(end(until, "2026-03-02T09:00:00Z", "soon")).toBe("the contact has no date in the field visit")
    const passed = "the date in the field visit has passed"
    expect(end(until, "2026-03-10T13:00:01Z", "2026-03-09")).toBe(passed)
    expect(end(until, "2026-03-02T09:00:00Z", "2026-03-09", "2026-03-10T13:00:01Z")).toBe(passed)
  })
})
