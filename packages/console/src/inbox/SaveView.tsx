import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { FormDialog, NamedField } from "../form/FormDialog.tsx"
import { inboxText } from "../text/Inbox.ts"
import { type ListFilter, viewFiltersOf } from "./ListFilter.ts"
import { viewsKey } from "./ViewChange.ts"

interface SaveViewProps {
  readonly filter: ListFilter
  readonly onClose: () => void
}

/** Stores the filters of the list as a view. */
export const SaveView = ({ filter, onClose }: SaveViewProps) => {
  const queries = useQueryClient()
  const { client, tenantId } = useConnection()
  const [name, setName] = useState("")
  const [shared, setShared] = useState(false)
  return (
    <FormDialog
      title={inboxText.views.save}
      action={inboxText.views.save}
      isReady={name.trim() !== ""}
      send={() =>
        client.views.create(tenantId, {
          name: name.trim(),
          filters: viewFiltersOf(filter),
          ...(shared ? { shared } : {})
        })
      }
      onDone={() => queries.invalidateQueries({ queryKey: viewsKey(tenantId) })}
      onClose={onClose}
    >
      <NamedField name="name" label={inboxText.views.name}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </NamedField>
      <label>
        <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} />{" "}
        {inboxText.views.shared}
      </label>
    </FormDialog>
  )
}
