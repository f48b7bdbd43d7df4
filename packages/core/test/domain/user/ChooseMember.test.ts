import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { UserId } from "../../../src/domain/Id.ts"
import { chooseMember, isAtWork } from "../../../src/domain/user/ChooseMember.ts"
import { beginUser } from "../../../src/domain/user/User.ts"

const ids = (...numbers: ReadonlyArray<number>): ReadonlyArray<UserId> =>
  numbers.map((number): UserId => `usr_${String(number).padStart(3, "0")}`)

const members = fc
  .uniqueArray(fc.nat(99), { maxLength: 12 })
  .map((numbers) => ids(...numbers.toSorted((a, b) => a - b)))

/** Chooses `count` times, like a team that receives so many leads. */
const choices = (team: ReadonlyArray<UserId>, count: number, strategy: "round_robin" | "least_loaded") => {
  const load = new Map<string, number>()
  let last: UserId | null = null
  const seen: Array<UserId | null> = []
  for (let turn = 0; turn < count; turn++) {
    last = chooseMember(strategy, { members: team, load, last }) ?? last
    seen.push(last)
    if (last !== null) load.set(last, (load.get(last) ?? 0) + 1)
  }
  return seen
}

describe("chooseMember", () => {
  it("gives every member the same number of leads, in any team, with both strategies", () => {
    const strategies = fc.constantFrom("round_robin" as const, "least_loaded" as const)
    fc.assert(
      fc.property(members, fc.nat(5), strategies, (team, rounds, strategy) => {
        const seen = choices(team, team.length * rounds, strategy)
        for (const member of team) expect(seen.filter((one) => one === member)).toHaveLength(rounds)
      })
    )
  })

  it("continues after the last member, even when this member has left the team", () => {
    const [one, two, three] = ids(1, 2, 3)
    const load = new Map<string, number>()
    const next = (last: UserId | null | undefined, team = ids(1, 2, 3)) =>
      chooseMember("round_robin", { members: team, load, last: last ?? null })
    expect([next(null), next(one), next(three), next(two, ids(1, 3))]).toEqual([one, two, one, three])
    expect(next(one, [])).toBeNull()
  })

  it("prefers the lowest load, and takes turns among equals", () => {
    const [one, two, three] = ids(1, 2, 3)
    const load = new Map([
      ["usr_001", 2],
      ["usr_002", 1],
      ["usr_003", 1]
    ])
    const choose = (last: UserId | undefined) =>
      chooseMember("least_loaded", { members: ids(1, 2, 3), load, last: last ?? null })
    expect([choose(one), choose(two), choose(three)]).toEqual([two, three, two])
  })
})

describe("isAtWork", () => {
  const at = (time: string, timeZone: string | null, tenantZone = "UTC") => {
    const user = beginUser(
      { userId: "usr_1", tenantId: "acme", name: "Ann", email: null, role: "agent", subject: null },
      0
    )
    const workingHours = [
      { days: ["mon", "tue"], from: "09:00", to: "12:00" },
      { days: ["mon"], from: "13:00", to: "24:00" }
    ] as const
    return isAtWork({ ...user, workingHours, timeZone }, tenantZone, Date.parse(time))
  }

  it("compares the local time of the user, or of the tenant, with the periods", () => {
    // 2 March 2026 is a Monday.
    expect(at("2026-03-02T09:00:00Z", null)).toBe(true)
    expect(at("2026-03-02T08:59:59Z", null)).toBe(false)
    expect(at("2026-03-02T12:00:00Z", null)).toBe(false)
    expect(at("2026-03-02T23:59:59Z", null)).toBe(true)
    expect(at("2026-03-03T13:30:00Z", null)).toBe(false)
    expect(at("2026-03-02T08:30:00Z", "Europe/Berlin")).toBe(true)
    expect(at("2026-03-02T08:30:00Z", null, "Europe/Berlin")).toBe(true)
    expect(at("2026-03-02T08:30:00Z", "UTC", "Europe/Berlin")).toBe(false)
  })
})
