import { type CallbackHours, callbackTime } from "@leadloom/core/internal/domain/assistant/CallbackTime"
import { wallClock } from "@leadloom/core/internal/domain/time/WallClock"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const hours: CallbackHours = { from: "09:00", to: "18:00", days: ["mon", "tue", "wed", "thu", "fri"] }
const berlin = wallClock("Europe/Berlin")
/** Thursday 26 March 2026, 10:00 in Berlin; the clocks change on the 29th. */
const now = Date.parse("2026-03-26T09:00:00Z")

const read = (spoken: string, zone = "Europe/Berlin", at = now): string | null => {
  const time = callbackTime(spoken, hours, wallClock(zone), at)
  return time._tag === "Unclear" ? null : `${new Date(time.dueAt).toISOString()}${time.moved ? " moved" : ""}`
}

describe("a requested callback time", () => {
  it.each([
    ["2026-03-27T15:00:00+01:00", "2026-03-27T14:00:00.000Z"],
    ["2026-03-27T15:00:00Z", "2026-03-27T15:00:00.000Z"],
    ["2026-03-27T15:00", "2026-03-27T14:00:00.000Z"],
    ["2026-03-27 15:00", "2026-03-27T14:00:00.000Z"],
    ["2026-03-30T15:00", "2026-03-30T13:00:00.000Z"],
    ["2026-03-27", "2026-03-27T08:00:00.000Z"],
    ["today", "2026-03-26T09:00:00.000Z"],
    ["today at 3pm", "2026-03-26T14:00:00.000Z"],
    ["tomorrow at 3:30 PM", "2026-03-27T14:30:00.000Z"],
    ["tomorrow afternoon", "2026-03-27T13:00:00.000Z"],
    ["Monday morning", "2026-03-30T07:00:00.000Z"],
    ["friday at noon", "2026-03-27T11:00:00.000Z"],
    ["11:15", "2026-03-26T10:15:00.000Z"],
    ["in 30 minutes", "2026-03-26T09:30:00.000Z"],
    ["in an hour", "2026-03-26T10:00:00.000Z"],
    ["as soon as possible", "2026-03-26T09:00:00.000Z"],
    ["2026-03-27 3pm", "2026-03-27T14:00:00.000Z"]
  ])("is understood: %j", (spoken, expected) => {
    expect(read(spoken)).toBe(expected)
  })

  it.each([
    ["tomorrow at 8pm", "2026-03-30T07:00:00.000Z moved"],
    ["tomorrow at 7am", "2026-03-27T08:00:00.000Z moved"],
    ["saturday at 10:00", "2026-03-30T07:00:00.000Z moved"],
    ["18:00", "2026-03-27T08:00:00.000Z moved"]
  ])("moves into the callback hours: %j", (spoken, expected) => {
    expect(read(spoken)).toBe(expected)
  })

  it.each([
    "yesterday-ish",
    "9am",
    "next thursday at noon",
    "2026-03-25T15:00",
    "2026-03-25",
    "2026-13-45",
    "2026-02-30",
    "2026-13-45 3pm",
    "2027-03-26T15:00",
    "99:99",
    ""
  ])("leads to a question: %j", (spoken) => {
    expect(read(spoken)).toBeNull()
  })

  it("is never outside the callback hours and never in the past, for any words", () => {
    const zone = fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC")
    const word = fc
      .array(
        fc.constantFrom(
          ..."today tomorrow monday in 5 hours at 3pm 23:30 now 2026-03-29t02:30 half past the 3rd of may 10".split(" ")
        ),
        { maxLength: 6 }
      )
      .map((words) => words.join(" "))
    fc.assert(
      fc.property(zone, fc.oneof(word, fc.string()), fc.nat({ max: 10_000_000 }), (place, spoken, later) => {
        const at = now + later * 1_000
        const wall = wallClock(place)
        const time = callbackTime(spoken, hours, wall, at)
        if (time._tag === "Unclear") return
        const { minuteOfDay, weekday } = wall.read(time.dueAt)
        expect(time.dueAt).toBeGreaterThanOrEqual(at)
        expect(hours.days).toContain(weekday)
        expect(minuteOfDay).toBeGreaterThanOrEqual(540)
        expect(minuteOfDay).toBeLessThan(1_080)
      })
    )
  })

  it("is converted to wall time and back, and a skipped hour moves to the next one", () => {
    const round = (date: string, minuteOfDay: number) => berlin.read(berlin.moment({ date, minuteOfDay }))
    expect(round("2026-03-29", 60)).toMatchObject({ date: "2026-03-29", minuteOfDay: 60 })
    expect(round("2026-03-29", 150)).toMatchObject({ date: "2026-03-29", minuteOfDay: 210 })
    expect(new Date(berlin.moment({ date: "2026-10-25", minuteOfDay: 150 })).toISOString()).toBe(
      "2026-10-25T00:30:00.000Z"
    )
  })
})
