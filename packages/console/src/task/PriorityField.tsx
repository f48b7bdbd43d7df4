import type { Task } from "@leadloom/client"
import { Field } from "../component/Field.tsx"
import { taskText } from "../text/Task.ts"

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
