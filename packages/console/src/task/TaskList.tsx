import type { Task } from "@leadloom/client"
import { Link, useNavigate } from "@tanstack/react-router"
import { useMemo } from "react"
import { useContactNames } from "../app/ContactNames.ts"
import { type RowList, ShownRows } from "../app/Rows.tsx"
import { useUserNames } from "../app/Users.ts"
import { useNow } from "../component/Now.ts"
import { Empty } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { shortTime } from "../design/Time.ts"
import { text } from "../text/Shared.ts"
import { taskText } from "../text/Task.ts"
import styles from "./Task.module.css"
import { TaskActions } from "./TaskActions.tsx"
import type { TaskSearch } from "./TaskSearch.ts"

type Sort = NonNullable<TaskSearch["sort"]>

/** The due time of a task. An open task after it is overdue. */
export const DueTime = ({ now, task }: { readonly task: Task; readonly now: number }) => {
  if (task.due_at === null) return null
  const isOverdue = task.status !== "done" && Date.parse(task.due_at) < now
  return (
    <span className={isOverdue ? styles.overdue : undefined}>
      <time dateTime={task.due_at}>{shortTime(task.due_at, now)}</time>
      {isOverdue ? ` ${taskText.overdue}` : ""}
    </span>
  )
}

/** Returns the name of the recurrence of a task. */
export const recurrenceName = ({ recurrence }: Task): string | null => {
  if (recurrence === null) return null
  const names: Readonly<Record<string, string>> = taskText.recurrences
  return taskText.recurs(names[recurrence] ?? recurrence)
}

/** Returns the type of a task, unless its title begins with it. */
const typeIn = ({ title, type }: Task): string | null => {
  const name = taskText.types[type]
  return title.toLowerCase().startsWith(name.toLowerCase()) ? null : name
}

interface Names {
  readonly contacts: ReadonlyMap<string, string>
  readonly users: ReadonlyMap<string, string>
  readonly now: number
}

const columnsOf = ({ contacts, now, users }: Names): ReadonlyArray<Column<Task, Sort>> => [
  {
    header: taskText.columns.title,
    cell: (task) => (
      <>
        <Link to="/tasks/$taskId" params={{ taskId: task.id }}>
          {task.title}
        </Link>{" "}
        <span className={styles.muted}>{[typeIn(task), recurrenceName(task)].filter(Boolean).join(" · ")}</span>
        <span className={styles.narrow}>
          {[contacts.get(task.contact_id ?? ""), taskText.priorities[task.priority]].filter(Boolean).join(" · ")}
        </span>
      </>
    )
  },
  { header: taskText.columns.contact, cell: (task) => contacts.get(task.contact_id ?? ""), isDetail: true },
  { header: taskText.columns.due, sort: "due_at", cell: (task) => <DueTime task={task} now={now} /> },
  {
    header: taskText.columns.priority,
    sort: "-priority",
    reverse: "priority",
    cell: (task) => taskText.priorities[task.priority],
    isDetail: true
  },
  { header: taskText.columns.owner, cell: (task) => users.get(task.assignee_id ?? ""), isDetail: true },
  { header: taskText.columns.actions, cell: (task) => <TaskActions task={task} /> }
]

const NoTasks = ({ search: { sort: _, ...filters } }: { readonly search: TaskSearch }) => {
  const navigate = useNavigate()
  if (Object.keys(filters).length === 0) return <Empty>{taskText.empty}</Empty>
  return (
    <Empty>
      <p>{filters.owner === "mine" ? taskText.noneOfMine : taskText.filtered}</p>
      <button type="button" onClick={() => void navigate({ to: "/tasks", search: {} })}>
        {text.clear}
      </button>
    </Empty>
  )
}

interface ListProps {
  readonly list: RowList<Task>
  readonly search: TaskSearch
}

const noRows: ReadonlyArray<Task> = []

/** The tasks as a table. */
export const TaskList = ({ list, search }: ListProps) => {
  const navigate = useNavigate()
  const { rows: tasks = noRows } = list
  const contactIds = useMemo(() => tasks.map((task) => task.contact_id), [tasks])
  const columns = columnsOf({ contacts: useContactNames(contactIds), users: useUserNames(), now: useNow() })
  return (
    <ShownRows list={list} empty={<NoTasks search={search} />}>
      {(rows) => (
        <Table
          label={taskText.title}
          columns={columns}
          rows={rows}
          keyOf={(task) => task.id}
          sort={search.sort ?? "due_at"}
          onSort={(sort) => void navigate({ to: "/tasks", search: { ...search, sort } })}
          hasMore={list.hasMore}
          onMore={list.onMore}
        />
      )}
    </ShownRows>
  )
}
