import type { Task } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { noticeSuccess } from "../component/Notices.tsx"
import { useNow } from "../component/Now.ts"
import { Row } from "../component/Page.tsx"
import { laterTimes } from "../design/LaterTimes.ts"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { text } from "../text/Shared.ts"
import { taskText } from "../text/Task.ts"
import { useTaskChange } from "./TaskData.ts"

interface ActionsProps {
  readonly task: Task
  /** The form with the fields of the task. Completing the task then saves the form with it. */
  readonly formId?: string | undefined
}

/** The button of a form carries the new status, so that the form decides about all fields at once. */
const completes = { type: "submit", name: "status", value: "done" } as const

interface CompleteProps extends ActionsProps {
  readonly onComplete: () => void
}

/** Returns the properties of a button that completes the task, alone or with the form. */
const completing = ({ formId, onComplete }: Omit<CompleteProps, "task">) =>
  formId === undefined ? ({ type: "button", onClick: onComplete } as const) : { ...completes, form: formId }

interface ApprovalProps extends CompleteProps {
  readonly contactId: string
  readonly onClose: () => void
}

/** Asks what happens to the reply of the pipeline, because the server discards it with the end of its task. */
const Approval = ({ contactId, onClose, ...props }: ApprovalProps) => (
  <Dialog title={taskText.approval.title} onClose={onClose}>
    <p>{taskText.approval.message}</p>
    <Link to="/inbox/$contactId" params={{ contactId }}>
      {taskText.approval.open}
    </Link>
    <DialogActions>
      <button type="button" onClick={onClose}>
        {text.confirm.cancel}
      </button>
      <button data-danger {...completing(props)}>
        {taskText.approval.discard}
      </button>
    </DialogActions>
  </Dialog>
)

const Complete = (props: CompleteProps) => {
  const { task } = props
  const [isAsking, setAsking] = useState(false)
  const asks = task.type === "reply_approval" && task.contact_id !== null
  return (
    <>
      <button
        {...(asks ? { type: "button", onClick: () => setAsking(true) } : completing(props))}
        aria-label={taskText.complete(task.title)}
      >
        {taskText.completeShort}
      </button>
      {isAsking && task.contact_id !== null ? (
        <Approval {...props} contactId={task.contact_id} onClose={() => setAsking(false)} />
      ) : null}
    </>
  )
}

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
      <Complete formId={formId} task={task} onComplete={() => change({ status: "done" })} />
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
