import { assert } from "@effect/vitest"
import { parseSearchQuery } from "@leadloom/core/internal/domain/search/SearchQuery"
import { Search } from "@leadloom/core/internal/port/repository/contact/Search"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { catchUp } from "@leadloom/core/internal/workflow/search/WorkSearch"
import { idOf } from "@leadloom/testkit/suite/Records"
import { Effect } from "effect"
import { upgradeTest } from "./EarlierDatabase.ts"

const [jo, ann] = [idOf("con", 1), idOf("con", 2)]

const taskRow = (number: number, contactId: string): string =>
  `INSERT INTO tasks (tenant_id, task_id, type, status, title, contact_id, created_at)
    VALUES ('acme', '${idOf("task", number)}', 'callback', 'open', 'Call ${number}', '${contactId}', ${number})`

upgradeTest(
  "the version in which each task had a contact",
  "keeps the contact of each task, and permits tasks without a contact",
  { last: 63, rows: [taskRow(1, jo), taskRow(2, ann), taskRow(3, jo)] },
  Effect.gen(function* () {
    const tasks = yield* Tasks
    const numbersOf = (contactId: string) =>
      Effect.map(tasks.ofContact("acme", contactId), (found) => found.map(({ createdAt }) => createdAt).toSorted())
    assert.deepStrictEqual([yield* numbersOf(jo), yield* numbersOf(ann)], [[1, 3], [2]])
    const task = yield* tasks.get("acme", idOf("task", 2))
    assert.deepInclude(task, { contactId: ann, title: "Call 2", type: "callback", status: "open" })
    yield* tasks.update({ ...task, contactId: null })
    assert.isNull((yield* tasks.get("acme", task.taskId)).contactId)
  })
)

upgradeTest(
  "the version before searchable notes",
  "queues its notes for the search index, and its companies with a domain for their contacts",
  {
    last: 66,
    rows: [
      `INSERT INTO notes (tenant_id, note_id, contact_id, author, body, mentions, team_mentions, created_at, updated_at)
        VALUES ('acme', '${idOf("note", 1)}', '${jo}', 'user:kim', 'Prefers slate.', '[]', '[]', 1, 1)`,
      `INSERT INTO companies (tenant_id, company_id, name, domain, custom_fields, created_at, updated_at)
        VALUES ('acme', '${idOf("cmp", 1)}', 'Walls', 'walls.example', '{}', 1, 2),
          ('acme', '${idOf("cmp", 2)}', 'Floors', NULL, '{}', 1, 2)`
    ]
  },
  Effect.gen(function* () {
    yield* catchUp("acme", "oldest")
    const range = { since: null, after: null, until: null, limit: 10 }
    const { places } = yield* (yield* Search).places("acme", "notes", parseSearchQuery("slate"), range)
    assert.deepStrictEqual(
      places.map(({ id }) => id),
      [idOf("note", 1)]
    )
    const jobs = yield* (yield* Jobs).claim(9, 100, 200)
    assert.deepStrictEqual(
      jobs.map(({ job, jobId }) => [jobId, job]),
      [["link_company:walls.example", { kind: "link_company", domain: "walls.example", after: "" }]]
    )
  })
)
