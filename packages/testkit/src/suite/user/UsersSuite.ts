import { assert, layer } from "@effect/vitest"
import { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { freshTenant, idOf, noon } from "../Records.ts"
import { teamRecord, userRecord } from "../WorkspaceRecords.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const numbersOf = (users: ReadonlyArray<{ readonly userId: string }>) =>
  users.map(({ userId }) => Number(userId.slice(-4)))

/** Tests the port `Users` on a store. */
export const usersSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Users on ${name}`, (it) => {
    it.effect("returns a user by id, subject and address, to its tenant only", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const [one, other] = [freshTenant(), freshTenant()]
        const workingHours = [{ days: ["mon", "tue"], from: "09:00", to: "24:00" }] as const
        const full = userRecord(one, 1, {
          workingHours,
          timeZone: "Europe/Berlin",
          signature: "Ann 👋",
          subject: "ann"
        })
        yield* users.insert(full)
        assert.deepStrictEqual(yield* users.get(one, full.userId), full)
        assert.deepStrictEqual(yield* users.ofSubject(one, "ann"), full)
        assert.deepStrictEqual(yield* users.ofEmail(one, "agent.1@business.example"), full)
        assert.strictEqual((yield* Effect.flip(users.get(other, full.userId)))._tag, "UserNotFound")
        assert.isNull(yield* users.ofSubject(other, "ann"))
        assert.isNull(yield* users.ofEmail(other, "agent.1@business.example"))
      })
    )
    it.effect("rejects a second user with the same address or subject in one tenant", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const [one, other] = [freshTenant(), freshTenant()]
        const ann = userRecord(one, 1, { subject: "ann" })
        yield* users.insert(ann)
        const sameEmail = userRecord(one, 2, { email: ann.email })
        const sameSubject = userRecord(one, 2, { subject: "ann" })
        for (const user of [sameEmail, sameSubject]) {
          assert.strictEqual((yield* Effect.flip(users.insert(user)))._tag, "UserExists")
        }
        yield* users.insert(userRecord(other, 2, { email: ann.email, subject: "ann" }))
        yield* users.insert(userRecord(one, 3, { email: null }))
        yield* users.insert(userRecord(one, 4, { email: null }))
        const taking = { ...userRecord(one, 3), email: ann.email }
        assert.strictEqual((yield* Effect.flip(users.update(taking)))._tag, "UserExists")
      })
    )
    it.effect("shows an update to every later read, inside and outside a unit of work", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const tenantId = freshTenant()
        const ann = userRecord(tenantId, 1, { subject: "ann" })
        yield* users.insert(ann)
        yield* users.get(tenantId, ann.userId)
        const changed = { ...ann, active: false, updatedAt: noon + 9 }
        const seen = yield* (yield* Transactions).atomically(
          tenantId,
          Effect.andThen(users.update(changed), users.get(tenantId, ann.userId))
        )
        assert.deepStrictEqual(seen, changed)
        assert.deepStrictEqual(yield* users.get(tenantId, ann.userId), changed)
        assert.deepStrictEqual(yield* users.ofSubject(tenantId, "ann"), changed)
      })
    )
    it.effect("lists all, active or deactivated users page by page, oldest first", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const [tenantId, other] = [freshTenant(), freshTenant()]
        for (const number of [3, 1, 2, 4]) yield* users.insert(userRecord(tenantId, number, { active: number !== 2 }))
        yield* users.insert(userRecord(other, 5))
        assert.deepStrictEqual(numbersOf(yield* users.page(tenantId, null, 3, null)), [1, 2, 3])
        assert.deepStrictEqual(numbersOf(yield* users.page(tenantId, null, 3, idOf("usr", 3))), [4])
        assert.deepStrictEqual(numbersOf(yield* users.page(tenantId, true, 9, idOf("usr", 1))), [3, 4])
        assert.deepStrictEqual(numbersOf(yield* users.page(tenantId, false, 9, null)), [2])
        const some = yield* users.some(tenantId, [idOf("usr", 4), idOf("usr", 5), idOf("usr", 1)])
        assert.deepStrictEqual(numbersOf(some), [1, 4])
      })
    )
  })

/** Tests the port `Teams` on a store. */
export const teamsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Teams on ${name}`, (it) => {
    it.effect("stores, changes and removes a team of one tenant", () =>
      Effect.gen(function* () {
        const teams = yield* Teams
        const [one, other] = [freshTenant(), freshTenant()]
        const team = teamRecord(one, 1, { memberIds: [idOf("usr", 1), idOf("usr", 2)] })
        yield* teams.insert(team)
        assert.deepStrictEqual(yield* teams.get(one, team.teamId), team)
        assert.strictEqual((yield* Effect.flip(teams.get(other, team.teamId)))._tag, "TeamNotFound")
        const changed = { ...team, memberIds: [idOf("usr", 2)], lastAssignedId: idOf("usr", 2), name: "Sales" }
        yield* teams.update(changed)
        assert.deepStrictEqual(yield* teams.get(one, team.teamId), changed)
        assert.strictEqual((yield* Effect.flip(teams.remove(other, team.teamId)))._tag, "TeamNotFound")
        yield* teams.remove(one, team.teamId)
        assert.strictEqual((yield* Effect.flip(teams.get(one, team.teamId)))._tag, "TeamNotFound")
      })
    )
    it.effect("rejects a second team with the same name, and pages and counts the teams of one tenant", () =>
      Effect.gen(function* () {
        const teams = yield* Teams
        const [tenantId, other] = [freshTenant(), freshTenant()]
        for (const number of [2, 1, 3]) yield* teams.insert(teamRecord(tenantId, number))
        yield* teams.insert(teamRecord(other, 1))
        const sameName = teamRecord(tenantId, 4, { name: "Team 1" })
        assert.strictEqual((yield* Effect.flip(teams.insert(sameName)))._tag, "TeamExists")
        assert.strictEqual(
          (yield* Effect.flip(teams.update(teamRecord(tenantId, 2, { name: "Team 1" }))))._tag,
          "TeamExists"
        )
        const ids = (yield* teams.page(tenantId, 2, idOf("team", 1))).map(({ teamId }) => teamId)
        assert.deepStrictEqual(ids, [idOf("team", 2), idOf("team", 3)])
        assert.strictEqual(yield* teams.count(tenantId), 3)
      })
    )
  })
