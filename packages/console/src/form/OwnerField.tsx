import { useUserNames } from "../app/Users.ts"
import { Field } from "../component/Field.tsx"
import { text } from "../text/Shared.ts"

/** The control with the user who is responsible. Its name is `assignee_id`. */
export const OwnerField = ({ ownerId }: { readonly ownerId: string | null }) => {
  const users = useUserNames()
  return (
    <Field label={text.owner}>
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
