import { businessTime } from "@leadloom/core/internal/domain/time/BusinessTime"
import { wallClock } from "@leadloom/core/internal/domain/time/WallClock"
import { describe, expect, it } from "vitest"

const week = [
  { days: ["mon", "tue", "wed", "thu", "fri"] as const, from: "09:00", to: "12:00" },
  { days: ["mon", "tue", "wed", "thu", "fri"] as const, from: "13:00", to: "17:00" },
  { days: ["sat"] as const, from: "00:00", to: "24:00" }
]
const hours = (zone: string, from: string, to: string): number =>
  businessTime(week, wallClock(zone))(Date.parse(from), Date.parse(to)) / 3_600

describe("business time", () => {
  it.each([
    ["within a period", "2026-03-02T09:30:00Z", "2026-03-02T10:00:00Z", 0.5],
    ["across a break", "2026-03-02T11:00:00Z", "2026-03-02T14:00:00Z", 2],
    ["before and after work", "2026-03-02T03:00:00Z", "2026-03-02T23:00:00Z", 7],
    ["across a weekend", "2026-03-06T16:00:00Z", "2026-03-09T10:00:00Z", 1 + 24 + 1],
    ["on a day without work", "2026-03-08T01:00:00Z", "2026-03-08T22:00:00Z", 0],
    ["over a year", "2026-01-01T00:00:00Z", "2026-12-31T00:00:00Z", 260 * 7 + 52 * 24],
    ["before 1970", "1969-12-29T00:00:00Z", "1970-01-05T00:00:00Z", 5 * 7 + 24],
    ["in seconds", "2026-03-02T16:59:30Z", "2026-03-02T17:00:30Z", 30 / 3_600],
    ["backwards", "2026-03-03T10:00:00Z", "2026-03-02T10:00:00Z", 0]
  ])("counts working hours %s", (_, from, to, expected) => expect(hours("UTC", from, to)).toBe(expected))

  it("follows the local clock through clock changes", () => {
    // Berlin changes to summer time on 29 March 2026 at 02:00, and back on 25 October at 03:00.
    expect(hours("Europe/Berlin", "2026-03-27T15:00:00Z", "2026-03-30T08:00:00Z")).toBe(1 + 24 + 1)
    expect(hours("Europe/Berlin", "2026-10-23T14:00:00Z", "2026-10-26T09:00:00Z")).toBe(1 + 24 + 1)
  })
})
