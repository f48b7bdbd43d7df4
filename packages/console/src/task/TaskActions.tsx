import type { Task } from "@leadloom/client"
import { noticeSuccess } from "../component/Notices.tsx"
import { useNow } from "../component/Now.ts"
import { Row } from "../component/Page.tsx"
import { laterTimes } from "../design/LaterTimes.ts"
import { taskText } from "../text/Task.ts"
import { useTaskChange } from "./TaskData.ts"

/** Completes, reopens and snoozes a task. */
export const TaskActions = ({ task }: { readonly task: Task }) => {
  const change = useTaskChange(task, ({ status }) => {
    if (status === "done") noticeSuccess(taskText.completed)
  })
  const times = laterTimes(new Date(useNow()))
  const snooze = (value: string): void => change({ snooze_until: value })
  if (task.status === "done") {
    return (
      <button type="button" aria-label={taskText.reopen(task.title)} onClick={() => change({ status: "open" })}>
        {taskText.reopenShort}
      </button>
    )
  }
  return (
    <Row>
      <button type="button" aria-label={taskText.complete(task.title)} onClick={() => change({ status: "done" })}>
        {taskText.completeShort}
      </button>
      <select aria-label={taskText.snooze(task.title)} value="" onChange={(event) => snooze(event.target.value)}>
        <option value="" disabled>
          {taskText.snoozeUntil}
        </option>
        {times.map(({ label, until }) => (
          <option key={label} value={until.toISOString()}>
            {label}
          </option>
        ))}
      </select>
    </Row>
  )
}
