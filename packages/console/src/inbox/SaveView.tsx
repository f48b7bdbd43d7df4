import { type FormEvent, useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { Field } from "../component/Field.tsx"
import { inboxText } from "../text/Inbox.ts"
import { text } from "../text/Shared.ts"
import { type ListFilter, viewFiltersOf } from "./ListFilter.ts"
import { useViewChange } from "./ViewChange.ts"

interface SaveViewProps {
  readonly filter: ListFilter
  readonly onClose: () => void
}

/** Stores the filters of the list as a view. */
export const SaveView = ({ filter, onClose }: SaveViewProps) => {
  const { client, tenantId } = useConnection()
  const [name, setName] = useState("")
  const [shared, setShared] = useState(false)
  const change = useViewChange()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onClose()
    const view = { name: name.trim(), filters: viewFiltersOf(filter) }
    change(() => client.views.create(tenantId, { ...view, ...(shared ? { shared } : {}) }))
  }
  return (
    <Dialog title={inboxText.views.save} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={inboxText.views.name}>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <label>
          <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} />{" "}
          {inboxText.views.shared}
        </label>
        <DialogActions>
          <button type="button" onClick={onClose}>
            {text.confirm.cancel}
          </button>
          <button type="submit" disabled={name.trim() === ""}>
            {inboxText.views.save}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
