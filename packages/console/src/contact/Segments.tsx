import { queryOptions, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import { Confirm } from "../dialog/Confirm.tsx"
import { FormDialog, NamedField } from "../form/FormDialog.tsx"
import { textIn } from "../form/FormValues.ts"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import { type ContactSearch, filterOf } from "./ContactFilter.ts"

/** The request of the segments of the tenant. */
export const segmentsOptions = ({ client, tenantId }: Connection) =>
  queryOptions({
    queryKey: [tenantId, "segments"] as const,
    queryFn: ({ signal }) => client.segments.list(tenantId, { signal })
  })

/** Saves the filters as a segment, or deletes the shown segment. */
export const SegmentActions = ({ search }: { readonly search: ContactSearch }) => {
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const connection = useConnection()
  const { client, tenantId } = connection
  const show = async (segment: string | undefined): Promise<void> => {
    await queries.invalidateQueries({ queryKey: segmentsOptions(connection).queryKey })
    await navigate({ to: "/contacts", search: segment === undefined ? {} : { segment } })
  }
  const [remove] = useAction((id: string) => client.segments.remove(tenantId, id), { onSuccess: () => show(undefined) })
  const { segment } = search
  const close = (): void => setOpen(false)
  if (segment === undefined && Object.keys(filterOf(search)).length === 0) return null
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {segment === undefined ? contactText.saveSegment : contactText.removeSegment}
      </button>
      {isOpen && segment === undefined ? (
        <FormDialog
          title={contactText.saveSegment}
          action={text.save}
          send={(data) =>
            client.segments.create(tenantId, { name: textIn(data, "name") ?? "", filters: filterOf(search) })
          }
          onDone={({ id }) => show(id)}
          onClose={close}
        >
          <NamedField name="name" label={contactText.segmentName}>
            {(control) => <input {...control} required maxLength={100} />}
          </NamedField>
        </FormDialog>
      ) : null}
      {isOpen && segment !== undefined ? (
        <Confirm
          title={contactText.removeSegment}
          message={contactText.removeSegmentMessage}
          action={text.remove}
          onConfirm={() => remove(segment)}
          onClose={close}
        />
      ) : null}
    </>
  )
}
