import { expect, it } from "vitest"
import {
  maxPresencesPerTenant,
  maxPresencesPerUser,
  presenceMillis,
  type PresenceReport
} from "../../../src/domain/conversation/Presence.ts"
import { makePresenceBoard } from "../../../src/domain/conversation/PresenceBoard.ts"

const noon = 1_764_000_000_000

const reportAt = (now: number, values: Partial<PresenceReport> = {}): PresenceReport => ({
  tenantId: "acme",
  contactId: "c1",
  userId: "u1",
  name: "Ann",
  state: "viewing",
  since: now,
  expiresAt: now + presenceMillis,
  ...values
})

const usersOf = (presences: ReadonlyArray<PresenceReport>) => presences.map(({ state, userId }) => `${userId} ${state}`)

it("replaces the state of a user, and ends it when the user leaves", () => {
  const board = makePresenceBoard()
  board.apply(reportAt(noon), noon)
  board.apply(reportAt(noon, { userId: "u2" }), noon)
  board.apply(reportAt(noon + 1, { state: "typing" }), noon + 1)
  expect(usersOf(board.list("acme", "c1", noon + 1))).toEqual(["u2 viewing", "u1 typing"])
  board.apply(reportAt(noon + 2, { userId: "u2", state: "left" }), noon + 2)
  expect(usersOf(board.list("acme", "c1", noon + 2))).toEqual(["u1 typing"])
})

it("expires presences that are not renewed", () => {
  const board = makePresenceBoard()
  board.apply(reportAt(noon), noon)
  board.apply(reportAt(noon, { userId: "u2" }), noon)
  board.apply(reportAt(noon + 20_000), noon + 20_000)
  expect(usersOf(board.list("acme", "c1", noon + presenceMillis - 1))).toEqual(["u2 viewing", "u1 viewing"])
  expect(usersOf(board.list("acme", "c1", noon + presenceMillis))).toEqual(["u1 viewing"])
})

it("limits the conversations of a user, and keeps the newest", () => {
  const board = makePresenceBoard()
  for (let index = 0; index <= maxPresencesPerUser; index++) {
    board.apply(reportAt(noon, { contactId: `c${index}` }), noon)
  }
  expect(board.list("acme", "c0", noon)).toEqual([])
  expect(board.list("acme", "c1", noon)).toHaveLength(1)
  expect(board.list("acme", `c${maxPresencesPerUser}`, noon)).toHaveLength(1)
})

it("limits the presences of a tenant without effect on other tenants", () => {
  const board = makePresenceBoard()
  board.apply(reportAt(noon, { tenantId: "other" }), noon)
  for (let index = 0; index <= maxPresencesPerTenant; index++) {
    board.apply(reportAt(noon, { userId: `u${index}` }), noon)
  }
  const present = board.list("acme", "c1", noon)
  expect(present).toHaveLength(maxPresencesPerTenant)
  expect(present[0]?.userId).toBe("u1")
  expect(board.list("other", "c1", noon)).toHaveLength(1)
})
