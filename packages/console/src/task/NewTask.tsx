import type { CreateTask } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { textIn } from "../form/FormValues.ts"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { Field } from "../component/Field.tsx"
import { OwnerField } from "../form/OwnerField.tsx"
import { text } from "../text/Shared.ts"
import { taskText } from "../text/Task.ts"
import { applyTask } from "./TaskData.ts"
import { PriorityField } from "./PriorityField.tsx"

const maxTitleLength = 200

const types = ["follow_up", "callback", "review"] as const

/** Returns the time of a local date and time control. */
export const timeIn = (data: FormData, name: string): string | null => {
  const value = textIn(data, name)
  return value === null ? null : new Date(value).toISOString()
}

const taskIn = (data: FormData): CreateTask => ({
  title: textIn(data, "title") ?? "",
  type: types.find((type) => type === data.get("type")) ?? types[0],
  priority: data.get("priority") as CreateTask["priority"],
  description: textIn(data, "description"),
  due_at: timeIn(data, "due_at"),
  assignee_id: textIn(data, "assignee_id"),
  recurrence: textIn(data, "recurrence")
})

/** How often the task repeats. The names stand for the rules that people use most. */
const RecurrenceField = () => (
  <Field label={taskText.recurrence}>
    {(control) => (
      <select {...control} name="recurrence">
        <option value="">{text.none}</option>
        {Object.entries(taskText.recurrences).map(([rule, name]) => (
          <option key={rule} value={rule}>
            {name}
          </option>
        ))}
      </select>
    )}
  </Field>
)

interface FieldsProps {
  /** The reason why the due time is invalid. */
  readonly dueError: string | null
  readonly ownerId: string | null
}

const TaskFields = ({ dueError, ownerId }: FieldsProps) => (
  <>
    <Field label={taskText.name}>
      {(control) => <input {...control} name="title" required maxLength={maxTitleLength} />}
    </Field>
    <Field label={taskText.type}>
      {(control) => (
        <select {...control} name="type">
          {types.map((type) => (
            <option key={type} value={type}>
              {taskText.types[type]}
            </option>
          ))}
        </select>
      )}
    </Field>
    <Field label={taskText.dueAt} error={dueError}>
      {(control) => <input {...control} name="due_at" type="datetime-local" />}
    </Field>
    <RecurrenceField />
    <PriorityField priority="normal" />
    <OwnerField ownerId={ownerId} />
    <Field label={taskText.description}>{(control) => <textarea {...control} name="description" rows={3} />}</Field>
  </>
)

/** The form of a new task. It stays open while its values are not valid. */
export const NewTask = ({ onClose }: { readonly onClose: () => void }) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const [dueError, setDueError] = useState<string | null>(null)
  const [create] = useAction((task: CreateTask) => connection.client.tasks.create(connection.tenantId, task), {
    onSuccess: (task) => void applyTask(queries, connection, task)
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const task = taskIn(new FormData(event.currentTarget))
    if (task.recurrence !== null && task.due_at === null) {
      setDueError(taskText.needsDue)
      return
    }
    onClose()
    create(task)
  }
  return (
    <Dialog title={taskText.create} onClose={onClose}>
      <form onSubmit={submit}>
        <TaskFields dueError={dueError} ownerId={connection.userId} />
        <DialogActions>
          <button type="button" onClick={onClose}>
            {text.confirm.cancel}
          </button>
          <button type="submit">{text.save}</button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
