import type { Task } from "@leadloom/client"
import { useUserNames } from "../app/Users.ts"
import { Field } from "../component/Field.tsx"
import { text } from "../text/Shared.ts"
import { taskText } from "../text/Task.ts"

/** The owner of a task among the users of the tenant. */
export const OwnerField = ({ ownerId }: { readonly ownerId: string | null }) => {
  const users = useUserNames()
  return (
    <Field label={taskText.owner}>
      {(control) => (
        <select {...control} key={users.size} name="assignee_id" defaultValue={ownerId ?? ""}>
          <option value="">{text.none}</option>
          {[...users].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** The priority of a task. */
export const PriorityField = ({ priority }: { readonly priority: Task["priority"] }) => (
  <Field label={taskText.priority}>
    {(control) => (
      <select {...control} name="priority" defaultValue={priority}>
        {Object.entries(taskText.priorities).map(([name, shown]) => (
          <option key={name} value={name}>
            {shown}
          </option>
        ))}
      </select>
    )}
  </Field>
)
