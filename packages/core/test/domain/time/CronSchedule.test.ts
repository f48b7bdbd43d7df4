import { describe, expect, it } from "vitest"
import { cronFault, nextFiring } from "../../../src/domain/time/CronSchedule.ts"

/** Returns the next firings after a time, as ISO 8601. */
const firings = (cron: string, zone: string, after: string, count: number): ReadonlyArray<string | null> => {
  const found: Array<string | null> = []
  let at: number | null = Date.parse(after)
  for (let index = 0; index < count && at !== null; index++) {
    at = nextFiring(cron, zone, at)
    found.push(at === null ? null : new Date(at).toISOString())
  }
  return found
}

describe("cronFault", () => {
  it("accepts five fields with one minute", () => {
    for (const cron of ["0 9 * * 1", "30 8-18/2 * * mon-fri", "0 0 29 2 *", "0 0 1 jan,jul *", "15 * 31 * 5"])
      expect([cron, cronFault(cron)]).toEqual([cron, null])
  })

  it("refuses more than one firing per hour, seconds and days that do not exist", () => {
    for (const cron of ["* * * * *", "*/30 * * * *", "0,1 9 * * *", "0-5 9 * * *"])
      expect([cron, cronFault(cron)]).toEqual([cron, expect.stringContaining("at most once per hour")])
    for (const cron of [
      "0 0 9 * * *",
      "0 9 * *",
      "",
      "x 9 * * *",
      "60 9 * * *",
      "@daily",
      "0 9 * * 8",
      `0 9 * * ${"1,".repeat(60)}1`
    ])
      expect([cron, cronFault(cron)]).toEqual([cron, expect.stringContaining("five fields")])
    for (const cron of ["0 0 31 2 *", "0 0 30 2 *", "0 0 31 4,6,9,11 *"])
      expect([cron, cronFault(cron)]).toEqual([cron, expect.stringContaining("no month has")])
  })
})

describe("nextFiring", () => {
  it("fires at the local time, before and after a clock change", () => {
    expect(firings("0 9 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3)).toEqual([
      "2026-03-28T08:00:00.000Z",
      "2026-03-29T07:00:00.000Z",
      "2026-03-30T07:00:00.000Z"
    ])
  })

  it("fires once when the local time is skipped, at the moment after the change", () => {
    expect(firings("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3)).toEqual([
      "2026-03-28T01:30:00.000Z",
      "2026-03-29T01:30:00.000Z",
      "2026-03-30T00:30:00.000Z"
    ])
  })

  it("fires once when the local time is repeated, at its first occurrence", () => {
    expect(firings("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z"
    ])
    expect(firings("30 * * * *", "Europe/Berlin", "2026-10-24T23:45:00Z", 3)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T02:30:00.000Z",
      "2026-10-25T03:30:00.000Z"
    ])
  })

  it("is strictly later than the moment, and missing for an invalid schedule", () => {
    expect(firings("0 9 * * *", "UTC", "2026-03-02T09:00:00Z", 1)).toEqual(["2026-03-03T09:00:00.000Z"])
    expect(firings("0 0 29 2 *", "UTC", "2026-03-02T09:00:00Z", 1)).toEqual(["2028-02-29T00:00:00.000Z"])
    expect(nextFiring("0 0 31 2 *", "UTC", 0)).toBeNull()
    expect(firings("0 9 * * *", "Nowhere/City", "2026-03-02T09:00:00Z", 1)).toEqual(["2026-03-03T09:00:00.000Z"])
  })
})
