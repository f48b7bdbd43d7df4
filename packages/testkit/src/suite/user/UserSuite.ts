/**
 * Suites of users, teams and their work. Working hours and the choice of a member are tested in
 * `packages/core/test/domain`.
 */
import { assert, describe } from "@effect/vitest"
import type { IdTokenPrincipal } from "@leadloom/core/internal/domain/access/Principal"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { createTeam, deleteTeam, updateTeam } from "@leadloom/core/internal/workflow/user/Teams"
import { identifyUser } from "@leadloom/core/internal/workflow/user/IdentifyUser"
import { sessionUser } from "@leadloom/core/internal/workflow/user/SessionUser"
import { createUser, deactivateUser, listUsers, updateUser } from "@leadloom/core/internal/workflow/user/Users"
import { Effect } from "effect"
import { idOf } from "../Records.ts"
import { acme, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** A token of Ann, an agent of acme. */
const ann: IdTokenPrincipal = {
  _tag: "IdToken",
  subject: "ann",
  role: "agent",
  tenants: ["acme"],
  profile: { name: "Ann Baker", email: "ann@business.example", isEmailVerified: true }
}

const admin = { _tag: "Admin" } as const

const everyone = Effect.map(listUsers("acme", null, { limit: 100, cursor: null }), ({ items }) => items)

const eventTypes = Effect.map(acme.events(), (events) =>
  events.map(({ type }) => type).filter((type) => /^(?:user|team)\./u.test(type))
)

/** Tests the workflows of users and teams on a store. */
export const userSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`users on ${name}`, () => {
    scene("appear once on the first use of an ID token, also when requests arrive at the same time", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const users = yield* Effect.all(
          Array.from({ length: 8 }, () => identifyUser("acme", ann)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(users.map((user) => user?.userId)).size, 1)
        assert.deepInclude(users[0], { name: "Ann Baker", email: "ann@business.example", role: "agent", active: true })
        assert.strictEqual((yield* everyone).length, 1)
        assert.deepStrictEqual(yield* eventTypes, ["user.created"])
      })
    )
    scene("follow the role of the ID token, and are found by the verified address", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const made = yield* createUser("acme", { name: "A. Baker", email: "Ann@Business.example" }, {})
        const joined = yield* identifyUser("acme", { ...ann, role: "manager" })
        assert.deepInclude(joined, { userId: made.userId, name: "A. Baker", role: "manager", subject: "ann" })
        assert.strictEqual((yield* identifyUser("acme", ann))?.role, "agent")
        assert.deepStrictEqual(yield* eventTypes, ["user.created", "user.updated", "user.updated"])
      })
    )
    scene("are not taken over through an address that the identity provider has not verified", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const made = yield* createUser("acme", { name: "Ann", email: "ann@business.example" }, {})
        const profile = { name: "Mallory", email: "ann@business.example", isEmailVerified: false }
        const other = yield* identifyUser("acme", { ...ann, subject: "mallory", profile })
        assert.notStrictEqual(other?.userId, made.userId)
        assert.isNull(other?.email)
      })
    )
    scene("of the operator exist only if an admin created them", () =>
      Effect.gen(function* () {
        yield* acme.open()
        assert.isNull(yield* identifyUser("acme", { ...ann, role: "superuser" }))
        assert.isNull(yield* identifyUser("acme", admin))
        assert.deepStrictEqual(yield* everyone, [])
      })
    )
    scene("cannot act after they were deactivated, until they are activated again", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const user = yield* createUser("acme", { name: "Ann", email: "ann@business.example" }, {})
        yield* identifyUser("acme", ann)
        yield* deactivateUser("acme", user.userId)
        yield* deactivateUser("acme", user.userId)
        const session = { _tag: "Session", tenantId: "acme", jti: "1", userId: user.userId } as const
        for (const principal of [ann, session]) {
          assert.strictEqual((yield* Effect.flip(identifyUser("acme", principal)))._tag, "UserInactive")
        }
        const person = { userId: user.userId }
        assert.strictEqual((yield* Effect.flip(sessionUser("acme", admin, person)))._tag, "UserInactive")
        yield* updateUser("acme", user.userId, { active: true })
        assert.strictEqual((yield* identifyUser("acme", session))?.userId, user.userId)
        assert.strictEqual((yield* eventTypes).filter((type) => type === "user.deactivated").length, 1)
      })
    )
    scene("get sessions by id or by name and address; agents only for themselves", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const person = { name: "Bob", email: "Bob@Business.example" }
        const both = [sessionUser("acme", admin, person), sessionUser("acme", admin, person)]
        const [bob, again] = yield* Effect.all(both, { concurrency: "unbounded" })
        assert.strictEqual(bob?.userId, again?.userId)
        assert.strictEqual(bob?.email, "bob@business.example")
        assert.isNull(yield* sessionUser("acme", admin, null))
        const own = yield* sessionUser("acme", ann, null)
        assert.strictEqual((yield* sessionUser("acme", ann, { userId: own?.userId ?? "" }))?.userId, own?.userId)
        assert.strictEqual((yield* Effect.flip(sessionUser("acme", ann, person)))._tag, "SessionUserForbidden")
        const asAdmin = yield* sessionUser("acme", { ...ann, role: "admin" }, person)
        assert.strictEqual(asAdmin?.userId, bob?.userId)
        const missing = yield* Effect.flip(sessionUser("acme", admin, { userId: idOf("usr", 9) }))
        assert.strictEqual(missing._tag, "UserNotFound")
      })
    )
    scene("keep valid fields only", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const { userId } = yield* createUser("acme", { name: "Ann", email: "ann@business.example" }, {})
        const overlapping = [
          { days: ["mon"], from: "09:00", to: "12:00" },
          { days: ["mon", "tue"], from: "11:00", to: "17:00" }
        ] as const
        const reversed = [{ days: ["mon"], from: "12:00", to: "09:00" }] as const
        const changes = [
          { name: " " },
          { email: "no address" },
          { timeZone: "Mars/Olympus" },
          { workingHours: overlapping },
          { workingHours: reversed }
        ]
        for (const change of changes) {
          assert.strictEqual((yield* Effect.flip(updateUser("acme", userId, change)))._tag, "UserInvalid")
        }
        const second = yield* createUser("acme", { name: "Bob", email: "bob@business.example" }, {})
        const taken = yield* Effect.flip(updateUser("acme", second.userId, { email: "Ann@business.example" }))
        assert.strictEqual(taken._tag, "UserExists")
        assert.strictEqual((yield* (yield* Users).get("acme", userId)).name, "Ann")
      })
    )
  })
  describe(`teams on ${name}`, () => {
    scene("have users of the tenant as members, each once", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const [one, two] = [
          yield* createUser("acme", { name: "Ann", email: "ann@business.example" }, {}),
          yield* createUser("acme", { name: "Bob", email: "bob@business.example" }, {})
        ]
        const memberIds = [two.userId, one.userId, two.userId]
        const team = yield* createTeam("acme", { name: " Sales ", memberIds })
        assert.deepInclude(team, { name: "Sales", memberIds: [one.userId, two.userId] })
        const unknown = { memberIds: [idOf("usr", 9)] }
        assert.strictEqual((yield* Effect.flip(updateTeam("acme", team.teamId, unknown)))._tag, "TeamInvalid")
        assert.strictEqual((yield* Effect.flip(createTeam("acme", { name: "Sales" })))._tag, "TeamExists")
        assert.deepStrictEqual((yield* updateTeam("acme", team.teamId, { memberIds: [] })).memberIds, [])
        yield* deleteTeam("acme", team.teamId)
        const events = (yield* eventTypes).filter((type) => type.startsWith("team."))
        assert.deepStrictEqual(events, ["team.created", "team.updated", "team.deleted"])
      })
    )
  })
}
