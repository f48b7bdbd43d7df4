import { useUserNames } from "../app/Users.ts"
import { Field } from "../component/Field.tsx"
import { text } from "../text/Shared.ts"

/** The value of the owner who is no user of the tenant and stays. */
const keptOwner = "kept"

interface OwnerProps {
  readonly ownerId: string | null
  /** The name or address of an owner who is no user of the tenant. */
  readonly otherOwner?: string | null
}

/** The control with the user who is responsible. Its name is `assignee_id`. */
export const OwnerField = ({ otherOwner = null, ownerId }: OwnerProps) => {
  const users = useUserNames()
  const isOther = ownerId === null && otherOwner !== null
  return (
    <Field label={text.owner}>
      {(control) => (
        <select {...control} key={users.size} name="assignee_id" defaultValue={isOther ? keptOwner : (ownerId ?? "")}>
          {isOther ? <option value={keptOwner}>{otherOwner}</option> : null}
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

/** Returns the chosen owner as fields of a change. An owner who is no user stays unless the person chooses another one. */
export const ownerIn = (
  data: FormData,
  otherOwner: string | null
): { readonly assignee_id?: string | null; readonly assignee?: null } => {
  const chosen = String(data.get("assignee_id") ?? "")
  if (chosen === keptOwner) return {}
  if (chosen !== "") return { assignee_id: chosen }
  return otherOwner === null ? { assignee_id: null } : { assignee: null }
}
