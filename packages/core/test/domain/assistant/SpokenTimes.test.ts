import { type CallbackHours, callbackTime } from "@leadloom/core/internal/domain/assistant/CallbackTime"
import { maxExpressionLength } from "@leadloom/core/internal/domain/assistant/ReadTime"
import { confirmedTime } from "@leadloom/core/internal/domain/assistant/SpokenTime"
import { wallClock } from "@leadloom/core/internal/domain/time/WallClock"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { heldOut } from "./SentencesHeldOut.ts"
import { tuned } from "./SentencesTuned.ts"

const hours: CallbackHours = { from: "09:00", to: "18:00", days: ["mon", "tue", "wed", "thu", "fri"] }
/** Tuesday 24 November 2026, 10:00 in New York, five hours behind UTC. */
const now = Date.parse("2026-11-24T15:00:00Z")

const read = (expression: string, open = hours, zone = "America/New_York", at = now) =>
  callbackTime(expression, open, wallClock(zone), at)

/** Returns the booked wall time in New York, or `ask` without a booking. */
const booked = (expression: string, open = hours): string => {
  const time = read(expression, open)
  if (time._tag === "Unclear") return "ask"
  const wall = new Date(time.dueAt - 5 * 3_600_000).toISOString().slice(0, 16)
  return `${wall}${time.moved ? " moved" : ""}`
}

/** Returns the booked moment for a zone, or the question. */
const moment = (expression: string, zone: string, at: string, open: CallbackHours): string => {
  const time = read(expression, open, zone, Date.parse(at))
  return time._tag === "Unclear" ? time.question : new Date(time.dueAt).toISOString()
}

describe("a spoken time", () => {
  it.each(tuned)("is understood: %j", (expression, means) => {
    expect(booked(expression)).toBe(means)
  })
})

describe("a spoken time in sentences that were not used to write the rules", () => {
  const clear = heldOut.filter(([, means]) => means !== "ask")

  it.each(heldOut)("is never booked wrongly: %j", (expression, means) => {
    expect([means, "ask"]).toContain(booked(expression))
  })

  it("is understood in most clear sentences", () => {
    const unclear = clear.flatMap(([expression, means]) => (booked(expression) === means ? [] : [expression]))
    expect(unclear).toEqual([
      "call me back tomorrow at two",
      "monday @ 3pm",
      "tmrw at 3",
      "tomorrow at 1400",
      "ten to eleven tomorrow morning",
      "later today at five"
    ])
    expect(clear.length).toBe(65)
  })
})

describe("an unclear time", () => {
  const understood = [...tuned, ...heldOut].flatMap(([expression]) =>
    booked(expression) === "ask" ? [] : [expression]
  )

  it("leads to a question when any word is unknown", () => {
    const word = fc.constantFrom(
      "maybe",
      "not",
      "after",
      "before",
      "until",
      "or",
      "nächsten",
      "gegen",
      "last",
      "every",
      "ish"
    )
    fc.assert(
      fc.property(fc.constantFrom(...understood), word, fc.nat({ max: 12 }), (expression, strange, place) => {
        const words = expression.split(" ")
        const at = Math.min(place, words.length)
        const changed = [...words.slice(0, at), strange, ...words.slice(at)].join(" ")
        // "quarter before five" and "ten minutes after three" are valid times, and "day after tomorrow" contains
        // "after".
        if (/(?:after|before) (?:after|\w+)/u.test(changed) && (strange === "after" || strange === "before")) return
        expect([changed, booked(changed)]).toEqual([changed, "ask"])
      }),
      { numRuns: 500 }
    )
  })

  it("is resolved only if the callback hours include exactly one of the possible times", () => {
    const early = { ...hours, from: "07:00", to: "22:00" }
    expect(booked("tomorrow at 8", { ...hours, from: "08:00" })).toBe("2026-11-25T08:00")
    expect(booked("tomorrow at 8", early)).toBe("ask")
    expect(booked("tomorrow at 8 in the evening", early)).toBe("2026-11-25T20:00")
    expect(booked("tomorrow at 3", { ...hours, from: "00:00", to: "23:59" })).toBe("ask")
    expect(read("tomorrow at 8", early)).toMatchObject({ question: expect.stringContaining("08:00 or 20:00") })
  })

  it("leads to a question that lists the possible days", () => {
    expect(read("next Friday at 2pm")).toMatchObject({
      question: expect.stringContaining("Friday 27 November 2026 or Friday 4 December 2026")
    })
    expect(read("5/12 at 2pm")).toMatchObject({ question: expect.stringContaining("5 December 2026 or") })
  })

  it("is rejected when it is longer than any spoken time", () => {
    expect(booked(`tomorrow at 10${" ".repeat(maxExpressionLength)}`)).toBe("ask")
    expect(booked("tomorrow ".repeat(100_000))).toBe("ask")
  })
})

describe("a time on the day of a clock change", () => {
  const always: CallbackHours = { from: "00:00", to: "23:59", days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] }

  it.each([
    ["March 14 at 2:30 am", "2027-03-01T12:00:00Z", "02:30 on Sunday 14 March 2027 does not exist"],
    ["2027-03-14T02:30", "2027-03-01T12:00:00Z", "02:30 on Sunday 14 March 2027 does not exist"],
    ["November 7 at 1:30 am", "2027-11-01T12:00:00Z", "01:30 on Sunday 7 November 2027 occurs twice"]
  ])("asks about %j", (expression, at, question) => {
    expect(moment(expression, "America/New_York", at, always)).toContain(question)
  })

  it.each([
    ["March 14 at 9 am", "2027-03-01T12:00:00Z", "2027-03-14T13:00:00.000Z"],
    ["March 13 at 9 am", "2027-03-01T12:00:00Z", "2027-03-13T14:00:00.000Z"],
    ["tomorrow at 9 am", "2027-03-13T20:00:00Z", "2027-03-14T13:00:00.000Z"],
    ["November 7 at 9 am", "2027-11-01T12:00:00Z", "2027-11-07T14:00:00.000Z"],
    ["in 2 hours", "2027-03-14T06:30:00Z", "2027-03-14T08:30:00.000Z"]
  ])("uses the offset of that day: %j", (expression, at, expected) => {
    expect(moment(expression, "America/New_York", at, always)).toBe(expected)
  })
})

describe("the confirmation for a caller", () => {
  it("contains the full date, the time and the zone in words", () => {
    expect(confirmedTime(now, "America/New_York")).toBe("Tuesday 24 November 2026 at 10:00 AM, Eastern Standard Time")
    expect(confirmedTime(Date.parse("2026-07-01T13:30:00Z"), "Europe/Berlin")).toBe(
      "Wednesday 1 July 2026 at 3:30 PM, Central European Summer Time"
    )
  })
})
