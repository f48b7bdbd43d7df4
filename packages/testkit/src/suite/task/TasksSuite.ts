import { assert, layer } from "@effect/vitest"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import {
  beginTask,
  type NewTask,
  type Task,
  type TaskKey,
  taskKey,
  type TaskQuery
} from "@leadloom/core/internal/domain/task/Task"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, idOf, noon, taskRecord } from "../Records.ts"

type Filter = Omit<TaskQuery, "sort">

const everyTask: Filter = { status: "open", type: null, priority: null, contactId: null, leadId: null }

/** Returns the numbers of all tasks, read in pages of two. */
const listed = (tenantId: string, changes: Partial<Filter> = {}) =>
  Effect.gen(function* () {
    const tasks = yield* Tasks
    const seen: Array<number> = []
    for (let after: TaskKey | null = null; ;) {
      const page: ReadonlyArray<Task> = yield* tasks.page(tenantId, { ...everyTask, ...changes }, 2, after)
      const last = page.at(-1)
      if (last === undefined) return seen
      seen.push(...page.map(({ taskId }) => Number(taskId.slice(-2))))
      after = taskKey(last)
    }
  })

const snoozed = (task: NewTask, snoozeUntil: number): Task => ({ ...beginTask(task), status: "snoozed", snoozeUntil })

/** Tests the port `Tasks` on a store. */
export const tasksSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Tasks on ${name}`, (it) => {
    it.effect("lists the tasks of a contact oldest first, of one tenant only", () =>
      Effect.gen(function* () {
        const tasks = yield* Tasks
        const [one, other] = [freshTenant(), freshTenant()]
        const full = taskRecord(one, 2, {
          leadId: idOf("lead", 1),
          signalId: idOf("sig", 1),
          dueAt: noon,
          type: "review"
        })
        yield* Effect.forEach(
          [full, taskRecord(one, 1), taskRecord(one, 3, { contactId: idOf("con", 2) }), taskRecord(other, 4)],
          tasks.insert
        )
        const begun = [taskRecord(one, 1), full].map(beginTask)
        assert.deepStrictEqual(yield* tasks.ofContact(one, idOf("con", 1)), begun)
        assert.deepStrictEqual(yield* tasks.ofContact(one, idOf("con", 9)), [])
        assert.isTrue(Exit.hasDies(yield* Effect.exit(tasks.insert(full))))
      })
    )
    it.effect("returns a task as stored or updated, to its tenant only", () =>
      Effect.gen(function* () {
        const tasks = yield* Tasks
        const [one, other] = [freshTenant(), freshTenant()]
        yield* tasks.insert(taskRecord(one, 1))
        const changed: Task = {
          ...beginTask(taskRecord(one, 1, { leadId: idOf("lead", 2) })),
          status: "done",
          disposition: "Reached „them“",
          updatedAt: noon + 5
        }
        yield* tasks.update(changed)
        yield* tasks.update(beginTask(taskRecord(other, 1)))
        assert.deepStrictEqual(yield* tasks.get(one, idOf("task", 1)), changed)
        assert.strictEqual((yield* Effect.flip(tasks.get(other, idOf("task", 1))))._tag, "TaskNotFound")
      })
    )
    it.effect("orders pages of tasks by due time, with undated tasks last, then oldest first", () =>
      Effect.gen(function* () {
        const tasks = yield* Tasks
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const insert = (number: number, changes: Partial<NewTask>) =>
          tasks.insert(taskRecord(tenantId, number, changes))
        yield* insert(1, { type: "review" })
        yield* insert(2, { dueAt: noon + 9, contactId: idOf("con", 2), leadId: idOf("lead", 1) })
        yield* insert(3, { dueAt: noon + 5, type: "follow_up", leadId: idOf("lead", 1) })
        yield* insert(4, { dueAt: noon + 5 })
        yield* insert(5, {})
        yield* tasks.insert(taskRecord(other, 6))
        yield* tasks.update({ ...beginTask(taskRecord(tenantId, 5)), status: "done" })
        assert.deepStrictEqual(yield* listed(tenantId), [3, 4, 2, 1])
        assert.deepStrictEqual(yield* listed(tenantId, { status: "done" }), [5])
        assert.deepStrictEqual(yield* listed(tenantId, { type: "callback" }), [4, 2])
        assert.deepStrictEqual(yield* listed(tenantId, { type: "reply_approval" }), [])
        assert.deepStrictEqual(yield* listed(tenantId, { contactId: idOf("con", 1) }), [3, 4, 1])
        assert.deepStrictEqual(yield* listed(tenantId, { contactId: idOf("con", 1), type: "review" }), [1])
        assert.deepStrictEqual(yield* listed(tenantId, { leadId: idOf("lead", 1) }), [3, 2])
        const both = { leadId: idOf("lead", 1), contactId: idOf("con", 2) }
        assert.deepStrictEqual(yield* listed(tenantId, both), [2])
      })
    )
    it.effect("lists tasks of one priority, of all types, a contact or a lead, and gives new ones the default", () =>
      Effect.gen(function* () {
        const tasks = yield* Tasks
        const tenantId = freshTenant()
        const insert = (number: number, changes: Partial<NewTask>) =>
          tasks.insert(taskRecord(tenantId, number, changes))
        yield* insert(1, { priority: "urgent", type: "review" })
        yield* insert(2, { priority: "urgent", dueAt: noon, contactId: idOf("con", 2), leadId: idOf("lead", 1) })
        yield* insert(3, { leadId: idOf("lead", 1) })
        yield* insert(4, { priority: "low" })
        assert.strictEqual((yield* tasks.get(tenantId, idOf("task", 3))).priority, "normal")
        assert.deepStrictEqual(yield* listed(tenantId, { priority: "urgent" }), [2, 1])
        assert.deepStrictEqual(yield* listed(tenantId, { priority: "urgent", type: "review" }), [1])
        assert.deepStrictEqual(yield* listed(tenantId, { priority: "normal" }), [3])
        assert.deepStrictEqual(yield* listed(tenantId, { priority: "high" }), [])
        assert.deepStrictEqual(yield* listed(tenantId, { priority: "urgent", contactId: idOf("con", 1) }), [1])
        assert.deepStrictEqual(yield* listed(tenantId, { priority: "urgent", leadId: idOf("lead", 1) }), [2])
        yield* tasks.update({ ...(yield* tasks.get(tenantId, idOf("task", 4))), priority: "high" })
        assert.deepStrictEqual(yield* listed(tenantId, { priority: "high" }), [4])
      })
    )
    it.effect("shows a snoozed task as open from the millisecond when it is due", () =>
      Effect.gen(function* () {
        const tasks = yield* Tasks
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const task = taskRecord(tenantId, 1)
        const sleeping = snoozed(task, noon + 100)
        yield* TestClock.setTime(noon)
        for (const one of [task, taskRecord(tenantId, 2), taskRecord(other, 1)]) yield* tasks.insert(one)
        yield* tasks.update(sleeping)
        yield* tasks.update(snoozed(taskRecord(other, 1), noon + 500))
        const contactId = idOf("con", 1)
        yield* TestClock.setTime(noon + 99)
        assert.deepStrictEqual(yield* tasks.get(tenantId, task.taskId), sleeping)
        assert.deepStrictEqual([yield* listed(tenantId), yield* listed(tenantId, { status: "snoozed" })], [[2], [1]])
        yield* TestClock.setTime(noon + 100)
        const awake: Task = { ...beginTask(task), updatedAt: noon + 100 }
        assert.deepStrictEqual(yield* tasks.get(tenantId, task.taskId), awake)
        assert.deepStrictEqual((yield* tasks.ofContact(tenantId, contactId))[0], awake)
        for (const status of ["snoozed", "open"] as const) {
          assert.deepStrictEqual(yield* listed(tenantId, { status, contactId }), status === "open" ? [1, 2] : [])
        }
        assert.deepStrictEqual([yield* listed(tenantId), yield* listed(tenantId, { status: "snoozed" })], [[1, 2], []])
        // The time at which the task opened does not change in later reads.
        yield* TestClock.setTime(noon + 400)
        assert.deepStrictEqual(yield* tasks.get(tenantId, task.taskId), awake)
        assert.deepStrictEqual(yield* listed(other), [])
      })
    )
  })
