import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Holiday, officeTimeWith } from "../../../src/domain/time/OfficeTime.ts"
import { timeFactsIn } from "../../../src/domain/time/TimeFacts.ts"

const hours = { from: "09:00", to: "18:00", days: ["mon", "tue", "wed", "thu", "fri"] }
const read = officeTimeWith(hours, ["2026-04-03", "12-25"])

/** Returns whether the business is open, and whether it is a holiday. */
const at = (iso: string, zone = "Europe/Berlin") => {
  const time = timeFactsIn(zone)?.(Date.parse(iso))
  if (time === undefined) throw new Error("no such zone")
  const { isHoliday, isOpen } = read(time)
  return [isOpen, isHoliday]
}

describe("officeTimeWith", () => {
  it("is open from the first minute to the minute before the last, in local time", () => {
    expect(at("2026-03-02T07:59:59Z")).toEqual([false, false])
    expect(at("2026-03-02T08:00:00Z")).toEqual([true, false])
    expect(at("2026-03-02T16:59:59Z")).toEqual([true, false])
    expect(at("2026-03-02T17:00:00Z")).toEqual([false, false])
    expect(at("2026-03-30T07:00:00Z")).toEqual([true, false])
    expect(at("2026-03-01T10:00:00Z")).toEqual([false, false])
  })

  it("is closed on a date and on a day of every year, in local time", () => {
    expect(at("2026-04-03T10:00:00Z")).toEqual([false, true])
    expect(at("2027-04-02T10:00:00Z")).toEqual([true, false])
    expect(at("2026-12-25T10:00:00Z")).toEqual([false, true])
    expect(at("2028-12-25T10:00:00Z")).toEqual([false, true])
    expect(at("2026-12-24T23:30:00Z")).toEqual([false, true])
    expect(at("2026-12-24T23:30:00Z", "UTC")).toEqual([false, false])
  })
})

describe("Holiday", () => {
  it("accepts dates that exist, with or without a year", () => {
    const accepts = Schema.is(Holiday)
    expect(["2026-04-03", "2028-02-29", "02-29", "12-25"].filter((text) => !accepts(text))).toEqual([])
    expect(
      ["2026-02-29", "02-30", "13-01", "4-3", "", "2026-04-03T00:00", "25.12."].filter((text) => accepts(text))
    ).toEqual([])
  })
})
