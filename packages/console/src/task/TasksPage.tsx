import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { handleEvents } from "../app/Live.ts"
import { useRows } from "../app/Rows.tsx"
import { Choice } from "../component/Choice.tsx"
import { Page, Row } from "../component/Page.tsx"
import { text } from "../text/Shared.ts"
import { taskText } from "../text/Task.ts"
import { NewTask } from "./NewTask.tsx"
import { applyTaskEvent, taskListOptions } from "./TaskData.ts"
import { TaskList } from "./TaskList.tsx"
import { readTaskSearch, type TaskSearch } from "./TaskSearch.ts"

handleEvents(applyTaskEvent)

const Filters = ({ search }: { readonly search: TaskSearch }) => {
  const navigate = useNavigate()
  const { client, tenantId, userId } = useConnection()
  const teams = useQuery({
    queryKey: [tenantId, "teams"] as const,
    queryFn: ({ signal }) => client.teams.list(tenantId, { limit: 100, signal })
  }).data?.teams
  const set = (changed: Readonly<Record<string, unknown>>): void =>
    void navigate({ to: "/tasks", search: readTaskSearch({ ...search, ...changed }) })
  return (
    <Row label={taskText.filters}>
      {userId === null ? null : (
        <select
          aria-label={text.owner}
          value={search.owner ?? "all"}
          onChange={(event) => set({ owner: event.target.value, teamId: "" })}
        >
          <option value="all">{taskText.owners.all}</option>
          <option value="mine">{taskText.owners.mine}</option>
        </select>
      )}
      <Choice
        label={taskText.team}
        value={search.teamId}
        options={Object.fromEntries(teams?.map(({ id, name }) => [id, name]) ?? [])}
        onChoose={(teamId) => set({ teamId })}
      />
      <Choice label={taskText.due} value={search.due} options={taskText.dues} onChoose={(due) => set({ due })} />
      <Choice
        label={taskText.status}
        any={taskText.statuses.open}
        value={search.status}
        options={{ snoozed: taskText.statuses.snoozed, done: taskText.statuses.done }}
        onChoose={(status) => set({ status })}
      />
      <Choice label={taskText.type} value={search.type} options={taskText.types} onChoose={(type) => set({ type })} />
      <Choice
        label={taskText.priority}
        value={search.priority}
        options={taskText.priorities}
        onChoose={(priority) => set({ priority })}
      />
    </Row>
  )
}

/** The tasks of all, of the person or of a team. */
export const TasksPage = () => {
  const search = useSearch({ from: "/signed-in/tasks" })
  const [isCreating, setCreating] = useState(false)
  const connection = useConnection()
  // The time is fixed while the page is shown, so that it does not become part of a new request every minute.
  const [opened] = useState(() => new Date())
  const list = useRows(taskListOptions(connection, search, opened))
  useOfferedCommands(useMemo(() => [{ label: taskText.create, hint: "c", pick: () => setCreating(true) }], []))
  return (
    <Page
      title={taskText.title}
      actions={
        <button type="button" aria-keyshortcuts="c" onClick={() => setCreating(true)}>
          {taskText.create}
        </button>
      }
      tools={<Filters search={search} />}
    >
      <TaskList list={list} search={search} />
      {isCreating ? <NewTask onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}
