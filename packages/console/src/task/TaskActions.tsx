import type { Task } from "@leadloom/client"
import { noticeSuccess } from "../component/Notices.tsx"
import { useNow } from "../component/Now.ts"
import { Row } from "../component/Page.tsx"
import { laterTimes } from "../design/LaterTimes.ts"
import { taskText } from "../text/Task.ts"
import { useTaskChange } from "./TaskData.ts"

interface ActionsProps {
  readonly task: Task
  /** The form with the fields of the task. Completing the task then saves the form with it. */
  readonly formId?: string
}

/** The button of a form carries the new status, so that the form decides about all fields at once. */
const completes = { type: "submit", name: "status", value: "done" } as const

/** Completes, reopens and snoozes a task. */
export const TaskActions = ({ formId, task }: ActionsProps) => {
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
      <button
        {...(formId === undefined
          ? { type: "button", onClick: () => change({ status: "done" }) }
          : { ...completes, form: formId })}
        aria-label={taskText.complete(task.title)}
      >
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
