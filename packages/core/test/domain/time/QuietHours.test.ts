import { describe, expect, it, vi } from "vitest"
import { zonesOfNumber } from "../../../src/domain/time/PhoneZones.ts"
import { quietUntil, zonesOf } from "../../../src/domain/time/QuietHours.ts"

const at = (time: string): number => Date.parse(time)

const next = (zones: ReadonlyArray<string>, time: string): string | null => {
  const found = quietUntil(zones, at(time))
  return found === null ? null : new Date(found).toISOString()
}

describe("quiet hours", () => {
  it("last from 21:00 to 08:00 in local time", () => {
    const zones = ["America/New_York"]
    expect(next(zones, "2026-03-02T13:00:00Z")).toBeNull()
    expect(next(zones, "2026-03-02T12:59:59.999Z")).toBe("2026-03-02T13:00:00.000Z")
    expect(next(zones, "2026-03-03T01:59:59Z")).toBeNull()
    expect(next(zones, "2026-03-03T02:00:00Z")).toBe("2026-03-03T13:00:00.000Z")
  })

  it("end at 08:00 even in the night of a clock change", () => {
    expect(next(["America/New_York"], "2026-03-08T03:00:00Z")).toBe("2026-03-08T12:00:00.000Z")
    expect(next(["America/New_York"], "2026-11-01T02:00:00Z")).toBe("2026-11-01T13:00:00.000Z")
    expect(next(["Australia/Lord_Howe"], "2026-10-03T12:00:00Z")).toBe("2026-10-03T21:00:00.000Z")
  })

  it("end for a number with several zones when they have ended in all of them", () => {
    const zones = ["America/Los_Angeles", "America/New_York"]
    expect(next(zones, "2026-07-01T13:00:00Z")).toBe("2026-07-01T15:00:00.000Z")
    expect(next(zones, "2026-07-02T01:30:00Z")).toBe("2026-07-02T15:00:00.000Z")
  })

  it("use the first zone when the zones have no allowed hour in common", () => {
    const zones = ["Etc/GMT", "Etc/GMT-8", "Etc/GMT+8"]
    expect(next(zones, "2026-07-01T09:00:00Z")).toBeNull()
    expect(next(zones, "2026-07-01T22:00:00Z")).toBe("2026-07-02T08:00:00.000Z")
  })

  it("keep one clock per zone, in any spelling", () => {
    const made = vi.spyOn(Intl, "DateTimeFormat")
    try {
      for (const zone of ["Antarctica/McMurdo", "antarctica/mcmurdo", "AntArctica/McMurdo"])
        expect(next([zone], "2026-07-01T09:00:00Z")).toBe("2026-07-01T20:00:00.000Z")
      expect(made).toHaveBeenCalledTimes(1)
    } finally {
      made.mockRestore()
    }
  })

  it("do not apply when the zone is unknown", () => {
    expect(next(["Mars/Olympus"], "2026-07-01T03:00:00Z")).toBeNull()
  })
})

describe("the zones of a number", () => {
  it.each([
    ["+12125550100", ["America/New_York"]],
    ["+18085550100", ["Pacific/Honolulu"]],
    ["+14165550100", ["America/New_York"]],
    ["+12085550100", ["America/Denver", "America/Los_Angeles"]],
    ["+18005550100", ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"]],
    ["+442079460000", ["Europe/London"]],
    ["+4930123456", ["Europe/Berlin"]],
    ["+35312345678", ["Europe/London"]],
    ["+97142345678", ["Asia/Dubai"]]
  ])("%s is %j", (phone, zones) => {
    const clockIn = (zone: string) => new Date(at("2026-07-01T12:00:00Z")).toLocaleString("en-US", { timeZone: zone })
    expect(zonesOfNumber(phone).map(clockIn)).toEqual(zones.map(clockIn))
  })

  it("are empty for an unassigned number, and this machine knows every zone of the table", () => {
    expect(zonesOfNumber("+9990000")).toEqual([])
    const all = Array.from({ length: 1_000 }, (_, code) => [`+1${code}`, `+${code}`])
      .flat()
      .flatMap(zonesOfNumber)
    for (const zone of new Set(all)) expect(() => new Intl.DateTimeFormat("en", { timeZone: zone })).not.toThrow()
    expect(new Set(all).size).toBeGreaterThan(50)
  })

  it("come from the contact's attributes, else from the number, else from the tenant", () => {
    expect(zonesOf({ time_zone: "Europe/Paris" }, "+12125550100", "UTC")).toEqual(["Europe/Paris"])
    expect(zonesOf({ timezone: "Europe/Paris" }, "+12125550100", "UTC")).toEqual(["Europe/Paris"])
    expect(zonesOf({ time_zone: "midnight" }, "+12125550100", "UTC")).toEqual(["America/New_York"])
    expect(zonesOf({ time_zone: 4 }, "+9990000", "Asia/Tokyo")).toEqual(["Asia/Tokyo"])
  })
})
