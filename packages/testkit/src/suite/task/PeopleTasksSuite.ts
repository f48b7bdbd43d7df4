/** Suites of tasks that people create: assignment, recurrence, reminders, comments and filters. */
import { assert, describe } from "@effect/vitest"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { commentOnTask, listTaskComments } from "@leadloom/core/internal/workflow/task/CommentOnTask"
import { createTask, type TaskRequest } from "@leadloom/core/internal/workflow/task/CreateTask"
import { listTasks } from "@leadloom/core/internal/workflow/task/ListTasks"
import { runTaskReminder } from "@leadloom/core/internal/workflow/task/TaskReminder"
import { updateTask } from "@leadloom/core/internal/workflow/task/UpdateTask"
import { createTeam } from "@leadloom/core/internal/workflow/user/Teams"
import { createUser, deactivateUser } from "@leadloom/core/internal/workflow/user/Users"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { idOf } from "../Records.ts"
import { acme, drainJobs, present, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const hour = 3_600_000
const day = 24 * hour

const openScene = Effect.gen(function* () {
  yield* acme.open({ timeZone: "Europe/Berlin" })
  const { contactId } = yield* createContact("acme", { email: "jo@customer.example" })
  const request: TaskRequest = {
    title: "Call Jo",
    type: "callback",
    contactId,
    leadId: null,
    priority: "normal",
    description: null,
    dueAt: start + hour,
    assigneeId: null,
    teamId: null,
    remindAt: null,
    recurrence: null
  }
  return {
    contactId,
    request,
    create: (changes: Partial<TaskRequest>) => createTask("acme", { ...request, ...changes })
  }
})

/** Returns the path of the first invalid field, or the error. */
const issueOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    const issues: unknown = "issues" in error ? error.issues : undefined
    return Array.isArray(issues) ? String(issues[0].path) : error._tag
  })

const taskEvents = Effect.map(acme.events(), (events) =>
  events.flatMap(({ type }) => (type.startsWith("task.") ? [type] : []))
)

/** Tests the workflows of tasks that people create on a store. */
export const peopleTasksSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`tasks of people on ${name}`, () => {
    scene("are assigned to active users and teams of the tenant only, and report each change", () =>
      Effect.gen(function* () {
        const { create } = yield* openScene
        const ann = yield* createUser("acme", { name: "Ann", email: null }, {})
        const ben = yield* createUser("acme", { name: "Ben", email: null }, {})
        yield* deactivateUser("acme", ben.userId)
        const sales = yield* createTeam("acme", { name: "Sales", memberIds: [ann.userId] })
        const task = yield* create({ title: " Call Jo ", assigneeId: ann.userId, teamId: sales.teamId })
        assert.deepInclude(task, { title: "Call Jo", assigneeId: ann.userId, teamId: sales.teamId, status: "open" })
        assert.strictEqual(yield* issueOf(create({ assigneeId: ben.userId })), "assignee_id")
        assert.strictEqual(yield* issueOf(create({ assigneeId: idOf("usr", 1) })), "assignee_id")
        assert.strictEqual(yield* issueOf(create({ teamId: idOf("team", 1) })), "team_id")
        assert.strictEqual(yield* issueOf(create({ title: " " })), "title")
        assert.strictEqual(yield* issueOf(create({ contactId: "con_nothing" })), "ContactNotFound")
        const change = (changes: Parameters<typeof updateTask>[2]) => updateTask("acme", task.taskId, changes)
        assert.strictEqual(yield* issueOf(change({ assigneeId: ben.userId })), "assignee_id")
        assert.deepInclude(yield* change({ assigneeId: null, title: "Text Jo" }), {
          assigneeId: null,
          title: "Text Jo"
        })
        yield* change({ title: "Text Jo" })
        yield* change({ status: "done" })
        assert.deepStrictEqual(yield* taskEvents, ["task.created", "task.updated", "task.completed"])
      })
    )
    scene("may concern no contact, and then have no lead", () =>
      Effect.gen(function* () {
        const { contactId, create } = yield* openScene
        const task = yield* create({ contactId: null, recurrence: "FREQ=DAILY" })
        assert.isNull(task.contactId)
        assert.strictEqual(yield* issueOf(create({ contactId: null, leadId: idOf("lead", 1) })), "lead_id")
        assert.strictEqual(yield* issueOf(updateTask("acme", task.taskId, { leadId: idOf("lead", 1) })), "lead_id")
        const done = yield* updateTask("acme", task.taskId, { status: "done" })
        assert.isNull((yield* (yield* Tasks).get("acme", done.nextTaskId ?? "")).contactId)
        const list = (of: string | null) =>
          Effect.map(
            listTasks(
              "acme",
              { status: "open", type: null, priority: null, sort: "due_at", contactId: of, leadId: null },
              { limit: 10, cursor: null }
            ),
            ({ items }) => items.map(({ taskId }) => taskId)
          )
        assert.deepStrictEqual(yield* list(null), [done.nextTaskId])
        assert.deepStrictEqual(yield* list(contactId), [])
        const reported = (yield* acme.events()).filter(({ type }) => type.startsWith("task."))
        assert.deepStrictEqual(
          reported.map(({ data }) => data["contact_id"]),
          [null, null, null]
        )
      })
    )
    scene("recur once per completion at the same local time across a clock change", () =>
      Effect.gen(function* () {
        const { contactId, create } = yield* openScene
        const dueAt = Date.parse("2026-03-23T08:00:00Z")
        const remindAt = dueAt - hour
        const recurrence = "FREQ=WEEKLY;BYDAY=MO"
        const first = yield* create({ dueAt, remindAt, recurrence })
        const done = yield* updateTask("acme", first.taskId, { status: "done" })
        yield* updateTask("acme", first.taskId, { status: "open" })
        assert.strictEqual((yield* updateTask("acme", first.taskId, { status: "done" })).nextTaskId, done.nextTaskId)
        const tasks = yield* acme.tasksOf(contactId)
        assert.lengthOf(tasks, 2)
        const next = present(tasks.find(({ taskId }) => taskId === done.nextTaskId))
        // Berlin has summer time from 29 March on, so 09:00 is one hour earlier in UTC.
        assert.deepInclude(next, { dueAt: dueAt + 7 * day - hour, recurrence, status: "open", title: "Call Jo" })
        assert.strictEqual(next.remindAt, remindAt + 7 * day - hour)
        yield* TestClock.setTime(dueAt + 30 * day)
        const later = yield* updateTask("acme", next.taskId, { status: "done" })
        const third = (yield* acme.tasksOf(contactId)).find(({ taskId }) => taskId === later.nextTaskId)
        assert.strictEqual(present(third).dueAt, Date.parse("2026-04-27T07:00:00Z"))
      })
    )
    scene("reject unusable recurrences, and stop recurring on request", () =>
      Effect.gen(function* () {
        const { create, contactId } = yield* openScene
        assert.strictEqual(yield* issueOf(create({ recurrence: "FREQ=HOURLY" })), "recurrence")
        assert.strictEqual(yield* issueOf(create({ recurrence: "FREQ=DAILY", dueAt: null })), "due_at")
        const { taskId } = yield* create({ recurrence: "FREQ=DAILY" })
        assert.strictEqual(yield* issueOf(updateTask("acme", taskId, { dueAt: null })), "due_at")
        yield* updateTask("acme", taskId, { recurrence: null, dueAt: null })
        assert.isNull((yield* updateTask("acme", taskId, { status: "done" })).nextTaskId)
        assert.lengthOf(yield* acme.tasksOf(contactId), 1)
      })
    )
    scene("remind once at their time, also after a postponement and a repeated job", () =>
      Effect.gen(function* () {
        const { create } = yield* openScene
        const { taskId } = yield* create({ remindAt: start + hour })
        const gone = yield* create({ remindAt: start + hour })
        const removed = yield* create({ remindAt: start + hour })
        yield* updateTask("acme", gone.taskId, { status: "done" })
        yield* updateTask("acme", removed.taskId, { remindAt: null })
        yield* updateTask("acme", taskId, { remindAt: start + 2 * hour })
        const reminders = Effect.map(acme.events(), (events) =>
          events.flatMap(({ data, type }) => (type === "task.reminder" ? [data["task_id"]] : []))
        )
        yield* TestClock.setTime(start + 2 * hour - 1)
        yield* drainJobs
        assert.deepStrictEqual(yield* reminders, [])
        yield* TestClock.setTime(start + 2 * hour)
        const held = (yield* (yield* Jobs).claim(10, start + 2 * hour, start + 3 * hour)).map((queued) => ({
          ...queued,
          job: { kind: "task_reminder" as const, taskId }
        }))
        assert.lengthOf(held, 1)
        yield* Effect.forEach([...held, ...held], runTaskReminder, { concurrency: "unbounded" })
        yield* TestClock.setTime(start + 4 * hour)
        yield* drainJobs
        assert.deepStrictEqual(yield* reminders, [taskId])
      })
    )
    scene("have comments in their order, which an unknown task does not", () =>
      Effect.gen(function* () {
        const { create } = yield* openScene
        const { taskId } = yield* create({})
        for (const body of ["one", " two ", "three"]) yield* commentOnTask("acme", taskId, body, "user:kim")
        const first = yield* listTaskComments("acme", taskId, { limit: 2, cursor: null })
        const rest = yield* listTaskComments("acme", taskId, { limit: 2, cursor: first.nextCursor })
        assert.deepStrictEqual(
          [...first.items, ...rest.items].map(({ body }) => body),
          ["one", "two", "three"]
        )
        assert.strictEqual(yield* issueOf(commentOnTask("acme", taskId, " ", "user:kim")), "body")
        assert.strictEqual(yield* issueOf(commentOnTask("acme", "task_nothing", "Hello", "user:kim")), "TaskNotFound")
      })
    )
    scene("are listed by assignee, team and due time, each task once over all pages", () =>
      Effect.gen(function* () {
        const { contactId, create } = yield* openScene
        const ann = (yield* createUser("acme", { name: "Ann", email: null }, {})).userId
        const ben = (yield* createUser("acme", { name: "Ben", email: null }, {})).userId
        const sales = (yield* createTeam("acme", { name: "Sales", memberIds: [ann] })).teamId
        yield* create({ title: "1", assigneeId: ann, dueAt: start + 3 * hour })
        yield* create({ title: "2", assigneeId: ann, teamId: sales, dueAt: start + hour, type: "review" })
        yield* create({ title: "3", assigneeId: ben, teamId: sales, dueAt: start + 2 * hour, priority: "urgent" })
        yield* create({ title: "4", assigneeId: ann, dueAt: null, priority: "low" })
        type Query = Parameters<typeof listTasks>[1]
        const everything: Query = {
          status: "open",
          type: null,
          priority: null,
          sort: "due_at",
          contactId: null,
          leadId: null
        }
        const listed = Effect.fnUntraced(function* (changes: Partial<Query>) {
          const found: Array<string> = []
          let cursor: string | null = null
          do {
            const query = { ...everything, ...changes }
            const page: Effect.Success<ReturnType<typeof listTasks>> = yield* listTasks("acme", query, {
              limit: 1,
              cursor
            })
            found.push(...page.items.map(({ title }) => title))
            cursor = page.nextCursor
          } while (cursor !== null)
          return found.join("")
        })
        assert.strictEqual(yield* listed({ assigneeId: ann }), "214")
        assert.strictEqual(yield* listed({ assigneeId: ann, type: "callback" }), "14")
        assert.strictEqual(yield* listed({ assigneeId: ann, priority: "low" }), "4")
        assert.strictEqual(yield* listed({ assigneeId: ann, sort: "priority" }), "421")
        assert.strictEqual(yield* listed({ assigneeId: ann, teamId: sales }), "2")
        assert.strictEqual(yield* listed({ teamId: sales }), "23")
        assert.strictEqual(yield* listed({ teamId: sales, type: "review", priority: "normal" }), "2")
        assert.strictEqual(yield* listed({ dueAfter: start + 2 * hour }), "31")
        assert.strictEqual(yield* listed({ dueBefore: start + 2 * hour }), "2")
        assert.strictEqual(yield* listed({ contactId, dueAfter: start + hour, dueBefore: start + 3 * hour }), "23")
        assert.strictEqual(yield* listed({ contactId, assigneeId: ann }), "214")
        assert.strictEqual(yield* listed({ priority: "urgent", dueAfter: start }), "3")
        assert.strictEqual(yield* listed({}), "2314")
      })
    )
  })
}
