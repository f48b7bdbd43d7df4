import { describe, expect, it } from "vitest"
import { shiftDates, weeksUntil } from "../../src/demo/ShiftDates.ts"

const shift = (text: string, weeks: number): string => shiftDates(Buffer.from(text, "latin1"), weeks).toString("latin1")

describe("shiftDates", () => {
  it.each([
    ["Date: Mon, 2 Mar 2026 08:14:22 -0500", 38, "Date: Mon, 23 Nov 2026 08:14:22 -0500"],
    ["        for <a@b.example>; Mon,  2 Mar 2026 09:41:07", 1, "        for <a@b.example>; Mon,  9 Mar 2026 09:41:07"],
    ['creation-date="Mon, 02 Mar 2026 15:12:11 GMT"', 44, 'creation-date="Mon, 4 Jan 2027 15:12:11 GMT"'],
    ["On Mon, Mar 2, 2026 at 9:02 AM", -9, "On Mon, Dec 29, 2025 at 9:02 AM"],
    ["Sent: Monday, March 2, 2026 8:46 AM", 38, "Sent: Monday, November 23, 2026 8:46 AM"],
    ["until Monday, March 9, with", 38, "until Monday, November 30, with"],
    ["Message-ID: <20260302150000.weekly@a.example> \u00e9 Mar=C3=ADa", 38, null]
  ])("changes only the dates in %j", (text, weeks, expected) => {
    expect(shift(text, weeks)).toBe(expected ?? text)
  })
})

describe("weeksUntil", () => {
  it.each([
    ["2026-03-02T17:06:00Z", 0],
    ["2026-03-09T17:05:59Z", 0],
    ["2026-03-09T17:06:00Z", 1],
    ["2026-03-02T17:05:59Z", -1],
    ["2027-01-01T00:00:00Z", 43]
  ])("moves the mails to the seven days before %s", (now, weeks) => {
    expect(weeksUntil(Date.parse(now))).toBe(weeks)
  })
})
