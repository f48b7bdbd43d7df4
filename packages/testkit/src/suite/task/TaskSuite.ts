/**
 * Suites of tasks: lists, snoozing and dispositions.
 */
import { assert, describe } from "@effect/vitest"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { beginTask, type TaskQuery } from "@leadloom/core/internal/domain/task/Task"
import { listTasks } from "@leadloom/core/internal/workflow/task/ListTasks"
import { type TaskChange, updateTask } from "@leadloom/core/internal/workflow/task/UpdateTask"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { idOf, leadRecord, taskRecord } from "../Records.ts"
import { start, acme, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const change = (changes: TaskChange) => updateTask("acme", idOf("task", 1), changes)

const issueOf = (changes: TaskChange) =>
  Effect.map(Effect.flip(change(changes)), (error) =>
    error._tag === "TaskRequestInvalid" ? error.issues.map(({ path }) => path) : [error._tag]
  )

type PageOf = Effect.Success<ReturnType<typeof listTasks>>

const openOnes = { status: "open", type: null, priority: null, sort: "due_at", contactId: null, leadId: null } as const

const openTasks = Effect.map(listTasks("acme", openOnes, { limit: 10, cursor: null }), ({ items }) =>
  items.map(({ taskId }) => taskId)
)

/** Tests the workflows of tasks on a store. */
export const taskSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  const task = taskRecord("acme", 1, { createdAt: start })
  const open = Effect.gen(function* () {
    yield* acme.open()
    yield* (yield* Tasks).insert(task)
    return beginTask(task)
  })

  describe(`tasks on ${name}`, () => {
    scene("a snoozed task opens again at the exact time, and can be opened earlier", () =>
      Effect.gen(function* () {
        const begun = yield* open
        const sleeping = yield* change({ snoozeUntil: start + 100 })
        assert.deepStrictEqual(sleeping, { ...begun, status: "snoozed", snoozeUntil: start + 100, updatedAt: start })
        assert.deepStrictEqual(yield* openTasks, [])
        yield* TestClock.setTime(start + 99)
        assert.deepStrictEqual(yield* change({}), sleeping)
        assert.deepStrictEqual(yield* openTasks, [])
        yield* TestClock.setTime(start + 100)
        assert.deepStrictEqual(yield* change({}), { ...begun, updatedAt: start + 100 })
        assert.deepStrictEqual(yield* openTasks, [task.taskId])
        yield* change({ status: "snoozed", snoozeUntil: start + 500 })
        assert.deepInclude(yield* change({ snoozeUntil: null }), { status: "open", snoozeUntil: null })
        yield* change({ snoozeUntil: start + 500 })
        assert.deepInclude(yield* change({ status: "done" }), { status: "done", snoozeUntil: null })
        yield* TestClock.setTime(start + 500)
        assert.deepStrictEqual(yield* openTasks, [])
        assert.deepInclude(yield* change({ status: "open" }), { status: "open", updatedAt: start + 500 })
      })
    )
    scene("a snoozed task can be postponed further, and rejects invalid times", () =>
      Effect.gen(function* () {
        yield* open
        assert.deepInclude(yield* change({ disposition: " left a message " }), { disposition: "left a message" })
        yield* change({ snoozeUntil: start + 100 })
        assert.deepInclude(yield* change({ status: "snoozed" }), { snoozeUntil: start + 100 })
        assert.deepInclude(yield* change({ snoozeUntil: start + 200, disposition: null }), {
          snoozeUntil: start + 200,
          disposition: null
        })
        assert.deepStrictEqual(yield* issueOf({ snoozeUntil: start }), ["snooze_until"])
        assert.deepStrictEqual(yield* issueOf({ snoozeUntil: start + 1, status: "done" }), ["snooze_until"])
        yield* change({ status: "open" })
        assert.deepStrictEqual(yield* issueOf({ status: "snoozed" }), ["snooze_until"])
        assert.deepStrictEqual(yield* issueOf({ status: "snoozed", snoozeUntil: null }), ["snooze_until"])
        const missing = updateTask("acme", "task_nothing", {})
        assert.strictEqual((yield* Effect.flip(missing))._tag, "TaskNotFound")
      })
    )
    scene("pages by priority contain every task once, and their cursors are invalid in another order", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const tasks = yield* Tasks
        const given = ["low", "urgent", "normal", "urgent", "high", "normal", "low"] as const
        for (const [index, priority] of given.entries()) {
          const changes = { priority, dueAt: index === 3 ? start : null, createdAt: start + index }
          yield* tasks.insert(taskRecord("acme", index, changes))
        }
        const listed = Effect.fnUntraced(function* (sort: TaskQuery["sort"], limit: number) {
          const found: Array<number> = []
          let cursor: string | null = null
          do {
            const page: PageOf = yield* listTasks("acme", { ...openOnes, sort }, { limit, cursor })
            found.push(...page.items.map(({ taskId }) => Number(taskId.slice(-2))))
            cursor = page.nextCursor
          } while (cursor !== null)
          return found
        })
        for (const limit of [1, 2, 3, 7, 10]) {
          assert.deepStrictEqual(yield* listed("-priority", limit), [3, 1, 4, 2, 5, 0, 6])
          assert.deepStrictEqual(yield* listed("priority", limit), [0, 6, 2, 5, 4, 3, 1])
          assert.deepStrictEqual(yield* listed("due_at", limit), [3, 0, 1, 2, 4, 5, 6])
        }
        const { nextCursor: cursor } = yield* listTasks(
          "acme",
          { ...openOnes, sort: "-priority" },
          { limit: 1, cursor: null }
        )
        const other = listTasks("acme", openOnes, { limit: 1, cursor })
        assert.strictEqual((yield* Effect.flip(other))._tag, "CursorInvalid")
      })
    )
    scene("a task can be assigned to an unmerged lead of its contact, or to none", () =>
      Effect.gen(function* () {
        yield* open
        const leads = yield* Leads
        yield* leads.insert(leadRecord("acme", 1))
        yield* leads.insert(leadRecord("acme", 2, { mergedInto: idOf("lead", 1) }))
        yield* leads.insert(leadRecord("acme", 3, { contactId: idOf("con", 2) }))
        yield* leads.insert(leadRecord("other", 4))
        yield* TestClock.setTime(start + 1)
        const given = yield* change({ leadId: idOf("lead", 1) })
        assert.deepInclude(given, { leadId: idOf("lead", 1), updatedAt: start + 1 })
        yield* TestClock.setTime(start + 2)
        assert.deepStrictEqual(yield* change({ leadId: idOf("lead", 1) }), given)
        assert.deepStrictEqual(yield* issueOf({ leadId: idOf("lead", 2) }), ["LeadMerged"])
        assert.deepStrictEqual(yield* issueOf({ leadId: idOf("lead", 3) }), ["lead_id"])
        assert.deepStrictEqual(yield* issueOf({ leadId: idOf("lead", 4) }), ["lead_id"])
        assert.deepInclude(yield* change({ leadId: null }), { leadId: null })
      })
    )
  })
}
