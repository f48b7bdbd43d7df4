import type { CreateTask } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { textIn } from "../form/FormValues.ts"
import { FormDialog, NamedField, type Reasons } from "../form/FormDialog.tsx"
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
  <NamedField name="recurrence" label={taskText.recurrence}>
    {(control) => (
      <select {...control}>
        <option value="">{text.none}</option>
        {Object.entries(taskText.recurrences).map(([rule, name]) => (
          <option key={rule} value={rule}>
            {name}
          </option>
        ))}
      </select>
    )}
  </NamedField>
)

/** A task that repeats needs a time from which it repeats. */
const check = (data: FormData): Reasons => {
  const { due_at: dueAt, recurrence } = taskIn(data)
  return recurrence !== null && dueAt === null ? { due_at: taskText.needsDue } : {}
}

/** The form of a new task. It stays open until the server accepts it. */
export const NewTask = ({ onClose }: { readonly onClose: () => void }) => {
  const queries = useQueryClient()
  const connection = useConnection()
  return (
    <FormDialog
      title={taskText.create}
      action={text.save}
      check={check}
      send={(data) => connection.client.tasks.create(connection.tenantId, taskIn(data))}
      onDone={(task) => applyTask(queries, connection, task)}
      onClose={onClose}
    >
      <NamedField name="title" label={taskText.name}>
        {(control) => <input {...control} required maxLength={maxTitleLength} />}
      </NamedField>
      <NamedField name="type" label={taskText.type}>
        {(control) => (
          <select {...control}>
            {types.map((type) => (
              <option key={type} value={type}>
                {taskText.types[type]}
              </option>
            ))}
          </select>
        )}
      </NamedField>
      <NamedField name="due_at" label={taskText.dueAt}>
        {(control) => <input {...control} type="datetime-local" />}
      </NamedField>
      <RecurrenceField />
      <PriorityField priority="normal" />
      <OwnerField ownerId={connection.userId} />
      <NamedField name="description" label={taskText.description}>
        {(control) => <textarea {...control} rows={3} />}
      </NamedField>
    </FormDialog>
  )
}
