import { describe, expect, it } from "vitest"
import { nextOccurrence, parseRecurrence } from "../../../src/domain/task/Recurrence.ts"
import { wallClock } from "../../../src/domain/time/WallClock.ts"

const berlin = wallClock("Europe/Berlin")

/** Returns the next occurrences of a rule in Berlin, each after the previous one. */
const series = (rule: string, date: string, minuteOfDay: number, count: number): ReadonlyArray<string> => {
  const recurrence = parseRecurrence(rule)
  if (recurrence === null) throw new Error(`${rule} is not a recurrence`)
  const found: Array<string> = []
  let from = { date, minuteOfDay }
  while (found.length < count) {
    const next = nextOccurrence(recurrence, from, berlin.moment(from), berlin)
    if (next === null) break
    found.push(new Date(next).toISOString())
    from = { date: berlin.read(next).date, minuteOfDay }
  }
  return found
}

describe("a recurrence", () => {
  it.each([
    ["FREQ=DAILY", { frequency: "DAILY", interval: 1, byDay: [] }],
    ["freq=weekly;interval=2;byday=mo,th", { frequency: "WEEKLY", interval: 2 }],
    ["FREQ=MONTHLY;BYDAY=2TU", { byDay: [{ weekday: "tue", nth: 2 }] }],
    ["FREQ=MONTHLY;BYDAY=-1FR", { byDay: [{ weekday: "fri", nth: -1 }] }]
  ])("reads %s", (text, expected) => {
    expect(parseRecurrence(text)).toMatchObject(expected)
  })

  it.each([
    "",
    "FREQ=YEARLY",
    "INTERVAL=2",
    "FREQ=DAILY;INTERVAL=0",
    "FREQ=DAILY;INTERVAL=100",
    "FREQ=DAILY;INTERVAL=1.5",
    "FREQ=DAILY;FREQ=DAILY",
    "FREQ=DAILY;COUNT=3",
    "FREQ=WEEKLY;BYDAY=",
    "FREQ=WEEKLY;BYDAY=XX",
    "FREQ=WEEKLY;BYDAY=1MO",
    "FREQ=MONTHLY;BYDAY=6MO"
  ])("rejects %s", (text) => {
    expect(parseRecurrence(text)).toBeNull()
  })

  it("keeps the local time across the clock changes of March and October", () => {
    expect(series("FREQ=DAILY", "2026-03-28", 570, 2)).toEqual(["2026-03-29T07:30:00.000Z", "2026-03-30T07:30:00.000Z"])
    expect(series("FREQ=WEEKLY", "2026-10-20", 570, 1)).toEqual(["2026-10-27T08:30:00.000Z"])
  })

  it("moves a skipped local time once, and returns to the usual time on the next day", () => {
    expect(series("FREQ=DAILY", "2026-03-28", 150, 2)).toEqual(["2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z"])
  })

  it("repeats on weekdays of every second week, counted from Monday", () => {
    expect(series("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE", "2026-01-05", 600, 3)).toEqual([
      "2026-01-07T09:00:00.000Z",
      "2026-01-19T09:00:00.000Z",
      "2026-01-21T09:00:00.000Z"
    ])
  })

  it("skips months without the day", () => {
    expect(series("FREQ=MONTHLY", "2026-01-31", 600, 2)).toEqual([
      "2026-03-31T08:00:00.000Z",
      "2026-05-31T08:00:00.000Z"
    ])
    expect(series("FREQ=MONTHLY;INTERVAL=12", "2028-02-29", 600, 1)).toEqual(["2032-02-29T09:00:00.000Z"])
  })

  it("finds the second Tuesday and the last Friday of a month", () => {
    expect(series("FREQ=MONTHLY;BYDAY=2TU", "2026-01-13", 600, 2)).toEqual([
      "2026-02-10T09:00:00.000Z",
      "2026-03-10T09:00:00.000Z"
    ])
    expect(series("FREQ=MONTHLY;BYDAY=-1FR", "2026-01-30", 600, 2)).toEqual([
      "2026-02-27T09:00:00.000Z",
      "2026-03-27T09:00:00.000Z"
    ])
  })

  it("skips missed occurrences, and ends when there is none", () => {
    const rule = parseRecurrence("FREQ=DAILY")
    const late = Date.parse("2026-02-01T12:00:00Z")
    const from = { date: "2026-01-01", minuteOfDay: 600 }
    expect(rule && new Date(nextOccurrence(rule, from, late, berlin) ?? 0).toISOString()).toBe(
      "2026-02-02T09:00:00.000Z"
    )
    expect(series("FREQ=MONTHLY;INTERVAL=12;BYDAY=5MO", "2026-02-02", 600, 1)).not.toEqual([])
  })
})
