import { assert, describe } from "@effect/vitest"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { conversationRow } from "@leadloom/core/internal/domain/conversation/ConversationRow"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { updateConversation } from "@leadloom/core/internal/workflow/conversation/UpdateConversation"
import { createTask, type TaskRequest } from "@leadloom/core/internal/workflow/task/CreateTask"
import { updateTask } from "@leadloom/core/internal/workflow/task/UpdateTask"
import { AuditTrail } from "@leadloom/core/internal/port/repository/tenant/AuditTrail"
import { Activities } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import { audited } from "@leadloom/core/internal/workflow/access/Audited"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { updateLead } from "@leadloom/core/internal/workflow/lead/UpdateLead"
import { replayRun } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import { runBacktest } from "@leadloom/core/internal/workflow/pipeline/RunBacktest"
import { listConfigChanges } from "@leadloom/core/internal/workflow/tenant/ConfigChanges"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { ActingUser } from "@leadloom/core/internal/workflow/ActingUser"
import { createTeam } from "@leadloom/core/internal/workflow/user/Teams"
import { createUser, deactivateUser, updateUser } from "@leadloom/core/internal/workflow/user/Users"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { idOf, leadRecord } from "../Records.ts"
import { acme, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const taskRequest: Omit<TaskRequest, "contactId"> = {
  type: "follow_up",
  title: "Call back",
  description: null,
  priority: "normal",
  leadId: null,
  assigneeId: null,
  teamId: null,
  dueAt: null,
  remindAt: null,
  recurrence: null
}

const conversationOf = (contactId: string) =>
  Effect.flatMap(Conversations, (conversations) => conversations.get("acme", contactId))

const person = (name: string) => createUser("acme", { name, email: `${name}@business.example` }, {})

const rule = (action: object): Rule => ({
  id: "rule_assign",
  name: "Assign",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "roof" },
  actions: [{ type: "assign", to: "nobody", ...action }]
})

/** Opens the tenant with a team of two users, whose rule has the given options. */
const withTeam = Effect.fnUntraced(function* (options: object) {
  yield* acme.open()
  const members = [yield* person("ann"), yield* person("bob")] as const
  const team = yield* createTeam("acme", { name: "Sales", memberIds: members.map(({ userId }) => userId) })
  const { config } = yield* (yield* Tenants).get("acme")
  yield* saveConfig("acme", { ...config, rules: [rule({ to: team.teamId, ...options })] })
  return { team, ann: members[0].userId, bob: members[1].userId }
})

let writers = 0

/** A new contact asks for a roof. Returns the lead and the result of the rule's action. */
const newLead = Effect.fnUntraced(function* () {
  const from = `writer.${++writers}@customer.example`
  const { leadId, run, signalId } = yield* acme.handleMail({ from, id: from })
  return { lead: yield* acme.leadOf(leadId), action: run?.actions[0], signalId }
})

const assigned = Effect.map(acme.events(), (events) => events.filter(({ type }) => type === "lead.assigned"))

/** Tests the assignment of leads and the attribution of actions on a store. */
export const assignmentSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`assignment on ${name}`, () => {
    scene("by a request names users and teams that exist, with an event and a timeline entry", () =>
      Effect.gen(function* () {
        const { ann, bob, team } = yield* withTeam({})
        yield* (yield* Leads).insert(leadRecord("acme", 1))
        const change = { assigneeId: ann, teamId: team.teamId }
        const lead = yield* updateLead("acme", idOf("lead", 1), change)
        assert.deepInclude(lead, change)
        yield* updateLead("acme", idOf("lead", 1), change)
        assert.deepStrictEqual(
          (yield* assigned).map(({ data }) => [data["assignee_id"], data["previous_assignee_id"], data["reason"]]),
          [[ann, null, null]]
        )
        yield* deactivateUser("acme", bob)
        for (const wrong of [{ assigneeId: idOf("usr", 9) }, { assigneeId: bob }, { teamId: idOf("team", 9) }]) {
          assert.strictEqual((yield* Effect.flip(updateLead("acme", lead.leadId, wrong)))._tag, "AssignmentInvalid")
        }
        assert.isNull((yield* updateLead("acme", lead.leadId, { assigneeId: null })).assigneeId)
      })
    )
    scene("by a rule takes turns, and leaves a lead with the member who has it", () =>
      Effect.gen(function* () {
        const { ann, bob, team } = yield* withTeam({ strategy: "round_robin" })
        const first = yield* newLead()
        const second = yield* newLead()
        const third = yield* newLead()
        assert.deepStrictEqual(
          [first, second, third].map(({ lead }) => lead.assigneeId),
          [ann, bob, ann]
        )
        assert.strictEqual(first.lead.teamId, team.teamId)
        assert.strictEqual(first.action?.reason, `to ${ann} of ${team.teamId}`)
        const id = "again@customer.example"
        const from = `writer.${writers}@customer.example`
        const again = yield* acme.handleMail({ from, id, inReplyTo: `<${from}>`, body: "My roof!" })
        assert.strictEqual(again.run?.actions[0]?.outcome, "skipped")
        assert.strictEqual((yield* acme.leadOf(again.leadId)).assigneeId, ann)
        assert.strictEqual((yield* assigned).length, 3)
      })
    )
    scene("by a rule prefers the member with the fewest open leads, conversations and tasks", () =>
      Effect.gen(function* () {
        const { ann, bob } = yield* withTeam({ strategy: "least_loaded" })
        const { contactId } = yield* acme.handleMail({ id: "first@customer.example", body: "A question" })
        yield* updateConversation("acme", contactId, { assigneeId: ann }, null)
        const task = { ...taskRequest, contactId, assigneeId: ann }
        const [, done] = [yield* createTask("acme", task), yield* createTask("acme", task)]
        yield* (yield* Leads).insert(leadRecord("acme", 1, { assigneeId: ann }))
        yield* (yield* Leads).insert(leadRecord("acme", 2, { assigneeId: bob, state: "won" }))
        // Ann has four open items. Each new lead has a conversation, so it counts twice.
        assert.strictEqual((yield* newLead()).lead.assigneeId, bob)
        yield* updateTask("acme", done.taskId, { status: "done" })
        const [second, third] = [yield* newLead(), yield* newLead()]
        assert.deepStrictEqual([second.lead.assigneeId, third.lead.assigneeId], [bob, ann])
        yield* updateConversation("acme", contactId, { state: "closed" }, null)
        yield* updateConversation("acme", third.lead.contactId, { state: "closed" }, null)
        assert.strictEqual((yield* newLead()).lead.assigneeId, ann)
      })
    )
    scene("by a rule skips members who are deactivated or not at work", () =>
      Effect.gen(function* () {
        const { ann, bob, team } = yield* withTeam({ strategy: "round_robin", at_work: true })
        // Scenes begin on a Monday at 09:00 UTC.
        yield* updateUser("acme", ann, { workingHours: [{ days: ["mon"], from: "13:00", to: "17:00" }] })
        assert.strictEqual((yield* newLead()).lead.assigneeId, bob)
        yield* deactivateUser("acme", bob)
        const { lead } = yield* newLead()
        assert.deepStrictEqual([lead.assigneeId, lead.teamId], [null, team.teamId])
      })
    )
    scene("by a rule gives the same decision in a replay, which does not move the rotation", () =>
      Effect.gen(function* () {
        const { ann, bob, team } = yield* withTeam({ strategy: "round_robin" })
        const { signalId } = yield* newLead()
        const tenant = yield* (yield* Tenants).get("acme")
        assert.isTrue((yield* replayRun(tenant, signalId ?? "")).replay.identical)
        const test = { config: null, rules: tenant.config.rules, guardrails: null, since: 0, limit: 10, examples: 1 }
        assert.strictEqual((yield* runBacktest("acme", test)).examined, 1)
        assert.strictEqual((yield* (yield* Teams).get("acme", team.teamId)).lastAssignedId, ann)
        assert.strictEqual((yield* newLead()).lead.assigneeId, bob)
      })
    )
    scene("by a rule gives the conversation to the member who has the lead, with an event", () =>
      Effect.gen(function* () {
        const { ann, bob, team } = yield* withTeam({ strategy: "round_robin" })
        const { lead } = yield* newLead()
        const conversation = yield* conversationOf(lead.contactId)
        assert.deepInclude(conversation, { assigneeId: ann, teamId: team.teamId })
        const event = (yield* acme.events()).findLast(({ data }) => "changes" in data)
        assert.deepInclude(event?.data, { actor: "system", changes: ["assignee_id", "team_id"] })
        assert.deepStrictEqual(event?.data["conversation"], conversationRow(conversation))
        yield* updateConversation("acme", lead.contactId, { assigneeId: bob }, null)
        const from = `writer.${writers}@customer.example`
        const again = yield* acme.handleMail({ from, id: "more@customer.example", body: "My roof!" })
        assert.strictEqual((yield* conversationOf(lead.contactId)).assigneeId, bob)
        assert.strictEqual((yield* acme.leadOf(again.leadId)).assigneeId, bob)
      })
    )
    scene("by a rule takes work from a member who was deactivated, and never gives work to one", () =>
      Effect.gen(function* () {
        const { ann, bob } = yield* withTeam({ strategy: "least_loaded" })
        const { lead } = yield* newLead()
        assert.strictEqual(lead.assigneeId, ann)
        yield* deactivateUser("acme", ann)
        const from = `writer.${writers}@customer.example`
        const again = yield* acme.handleMail({
          from,
          id: "more@customer.example",
          inReplyTo: `<${from}>`,
          body: "roof"
        })
        assert.strictEqual((yield* acme.leadOf(again.leadId)).assigneeId, bob)
        assert.strictEqual((yield* conversationOf(lead.contactId)).assigneeId, bob)
        assert.strictEqual((yield* newLead()).lead.assigneeId, bob)
      })
    )
  })
  describe(`attribution on ${name}`, () => {
    scene(
      "names the user of a request in messages, the timeline, events, the audit trail and the history of configurations",
      () =>
        Effect.gen(function* () {
          yield* acme.open()
          yield* acme.connectMail()
          const ann = yield* person("ann")
          const { contactId, leadId } = yield* acme.handleMail()
          const asAnn = Effect.provideService(ActingUser, ann)
          const sent = yield* asAnn(acme.sendMail())
          assert.strictEqual((yield* acme.messageOf(sent.messageId)).userId, ann.userId)
          yield* asAnn(transitionLead("acme", leadId ?? "", "engaged", null))
          const [activity] = yield* (yield* Activities).before("acme", contactId, null, 1)
          assert.strictEqual(activity?.userId, ann.userId)
          const event = (yield* acme.events()).findLast(({ type }) => type === "lead.state_changed")
          assert.strictEqual(event?.data["acting_user_id"], ann.userId)
          const acting = { actor: "key_1", action: "users.update", target: {}, address: null, requestId: null }
          yield* asAnn(audited(acting, "acme", updateUser("acme", ann.userId, { name: "Anna" })))
          const [entry] = yield* (yield* AuditTrail).page("acme", { actor: null, action: null }, 1, null)
          assert.deepInclude(entry, { actor: "key_1", userId: ann.userId })
          const { config } = yield* (yield* Tenants).get("acme")
          yield* asAnn(saveConfig("acme", { ...config, replyMode: "off" }))
          const { changes } = yield* listConfigChanges("acme", { limit: 1, cursor: null })
          assert.strictEqual(changes[0]?.changedByUser, ann.userId)
          const written = (yield* acme.messagesOf(contactId)).filter(({ actor }) => actor === "contact")
          assert.deepStrictEqual(
            written.map(({ userId }) => userId),
            [null]
          )
        })
    )
  })
}
