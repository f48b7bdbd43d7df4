import { assert, describe } from "@effect/vitest"
import type { Assignment, WorkHolder } from "@leadloom/core/internal/domain/user/Assignment"
import { releasedAtOnce } from "@leadloom/core/internal/domain/user/UserJob"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { updateConversation } from "@leadloom/core/internal/workflow/conversation/UpdateConversation"
import { runJob } from "@leadloom/core/internal/workflow/job/RunJob"
import { workDueJobs } from "@leadloom/core/internal/workflow/job/WorkJobs"
import { createTeam, deleteTeam } from "@leadloom/core/internal/workflow/user/Teams"
import { createUser, deactivateUser, updateUser } from "@leadloom/core/internal/workflow/user/Users"
import { Effect } from "effect"
import { idOf, leadRecord, taskRecord } from "../Records.ts"
import { acme, drainJobs, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const person = (name: string) => createUser("acme", { name, email: `${name}@business.example` }, {})

const clients = ["jo", "kim"]

/** Opens the tenant with a team of Ann, Bob and Cleo. Cleo is deactivated. */
const withTeam = Effect.gen(function* () {
  yield* acme.open()
  const [ann, bob, cleo] = [yield* person("ann"), yield* person("bob"), yield* person("cleo")]
  yield* deactivateUser("acme", cleo.userId)
  const memberIds = [ann.userId, bob.userId, cleo.userId]
  const { teamId } = yield* createTeam("acme", { name: "Sales", memberIds })
  return { ann: ann.userId, bob: bob.userId, teamId }
})

/** Assigns the conversations of two clients, a task and `leads` leads. */
const assignWork = Effect.fnUntraced(function* (held: Assignment, leads: number) {
  const { assigneeId, teamId } = held
  for (const client of clients) {
    const mail = { id: `${client}@customer.example`, from: `${client}@customer.example` }
    const { contactId } = yield* acme.receiveMail(mail)
    yield* updateConversation("acme", contactId ?? "", { assigneeId, teamId }, null)
  }
  for (let number = 1; number <= leads; number++) yield* (yield* Leads).insert(leadRecord("acme", number, held))
  yield* (yield* Tasks).insert(taskRecord("acme", 1, held))
})

/** Returns the unfinished work of a user or a team. */
const workOf = Effect.fnUntraced(function* (holder: WorkHolder) {
  const leads = yield* (yield* Leads).heldBy("acme", holder, 999)
  const conversations = yield* (yield* Conversations).heldBy("acme", holder, 999)
  const tasks = yield* (yield* Tasks).heldBy("acme", holder, 999)
  return { leads: leads.length, conversations: conversations.length, tasks: tasks.length }
})

const nothing = { leads: 0, conversations: 0, tasks: 0 }

/** Tests the release of the work of deactivated users and deleted teams on a store. */
export const releaseSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`released work on ${name}`, () => {
    scene("of a deactivated user without a team becomes unassigned, with the events of a change by a person", () =>
      Effect.gen(function* () {
        const { ann } = yield* withTeam
        yield* assignWork({ assigneeId: ann, teamId: null }, 1)
        const before = (yield* acme.events()).length
        yield* deactivateUser("acme", ann)
        yield* drainJobs
        assert.deepStrictEqual(yield* workOf({ assigneeId: ann }), nothing)
        const events = (yield* acme.events()).slice(before).filter(({ type }) => type !== "user.deactivated")
        assert.deepStrictEqual(
          events.map(({ data, type }) => [type, data["assignee_id"] ?? data["changes"]]),
          [
            ["lead.assigned", undefined],
            ["conversation.updated", ["assignee_id"]],
            ["conversation.updated", ["assignee_id"]],
            ["task.updated", undefined]
          ]
        )
        assert.strictEqual(events[0]?.data["reason"], "the user was deactivated")
      })
    )
    scene("of a team goes to its active members in turn, in units of bounded size that continue after a restart", () =>
      Effect.gen(function* () {
        const { ann, bob, teamId } = yield* withTeam
        const dan = yield* person("dan")
        const { teamId: other } = yield* createTeam("acme", { name: "Service", memberIds: [ann, bob, dan.userId] })
        yield* assignWork({ assigneeId: ann, teamId: other }, releasedAtOnce - 1)
        yield* (yield* Leads).insert(leadRecord("acme", 900, { assigneeId: ann, teamId, state: "won" }))
        yield* deactivateUser("acme", ann)
        yield* workDueJobs(runJob)
        assert.deepStrictEqual(yield* workOf({ assigneeId: ann }), { leads: 0, conversations: 1, tasks: 1 })
        yield* drainJobs
        assert.deepStrictEqual(yield* workOf({ assigneeId: ann }), nothing)
        const shares = [yield* workOf({ assigneeId: bob }), yield* workOf({ assigneeId: dan.userId })]
        const total = shares.map(({ conversations, leads, tasks }) => conversations + leads + tasks)
        assert.strictEqual(total[0], total[1])
        assert.deepStrictEqual(yield* workOf({ teamId: other }), { leads: 99, conversations: 2, tasks: 1 })
        assert.strictEqual((yield* (yield* Leads).get("acme", idOf("lead", 900))).assigneeId, ann)
      })
    )
    scene("of one contact goes to one member", () =>
      Effect.gen(function* () {
        const { ann, bob } = yield* withTeam
        const dan = yield* person("dan")
        const memberIds = [ann, bob, dan.userId]
        const { teamId } = yield* createTeam("acme", { name: "Service", memberIds })
        yield* assignWork({ assigneeId: ann, teamId }, 0)
        const conversations = yield* Conversations
        const contacts = yield* conversations.heldBy("acme", { assigneeId: ann }, 9)
        const leads = yield* Leads
        for (const { leadId } of yield* conversations.among("acme", contacts)) {
          const lead = yield* acme.leadOf(leadId)
          yield* leads.update({ ...lead, assigneeId: ann, teamId }, lead)
        }
        yield* deactivateUser("acme", ann)
        yield* drainJobs
        const after = yield* conversations.among("acme", contacts)
        assert.sameMembers(
          after.map(({ assigneeId }) => assigneeId),
          [bob, dan.userId]
        )
        for (const { assigneeId, leadId } of after) {
          assert.strictEqual((yield* acme.leadOf(leadId)).assigneeId, assigneeId)
        }
      })
    )
    scene("stays with a user who is active again", () =>
      Effect.gen(function* () {
        const { ann, teamId } = yield* withTeam
        yield* assignWork({ assigneeId: ann, teamId }, 1)
        yield* deactivateUser("acme", ann)
        yield* updateUser("acme", ann, { active: true })
        yield* drainJobs
        assert.deepStrictEqual(yield* workOf({ assigneeId: ann }), { leads: 1, conversations: 2, tasks: 1 })
      })
    )
    scene("of a deleted team stays with its user, and closed work does not change", () =>
      Effect.gen(function* () {
        const { ann, teamId } = yield* withTeam
        yield* assignWork({ assigneeId: ann, teamId }, 2)
        const [closed = ""] = yield* (yield* Conversations).heldBy("acme", { teamId }, 1)
        yield* updateConversation("acme", closed, { state: "closed" }, null)
        yield* deleteTeam("acme", teamId)
        yield* drainJobs
        assert.deepStrictEqual(yield* workOf({ teamId }), nothing)
        assert.deepStrictEqual(yield* workOf({ assigneeId: ann }), { leads: 2, conversations: 1, tasks: 1 })
        assert.strictEqual((yield* (yield* Conversations).get("acme", closed)).teamId, teamId)
      })
    )
  })
}
