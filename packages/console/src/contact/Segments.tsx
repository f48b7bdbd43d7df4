import { queryOptions, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import { Confirm } from "../dialog/Confirm.tsx"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { Field } from "../component/Field.tsx"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import { type ContactSearch, filterOf } from "./ContactFilter.ts"

/** The request of the segments of the tenant. */
export const segmentsOptions = ({ client, tenantId }: Connection) =>
  queryOptions({
    queryKey: [tenantId, "segments"] as const,
    queryFn: ({ signal }) => client.segments.list(tenantId, { signal })
  })

interface NameDialogProps {
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

const NameDialog = ({ onClose, onName }: NameDialogProps) => {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onClose()
    onName(String(new FormData(event.currentTarget).get("name")))
  }
  return (
    <Dialog title={contactText.saveSegment} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={contactText.segmentName}>
          {(control) => <input {...control} name="name" required maxLength={100} />}
        </Field>
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
  const [save] = useAction((name: string) => client.segments.create(tenantId, { name, filters: filterOf(search) }), {
    onSuccess: ({ id }) => show(id)
  })
  const [remove] = useAction((id: string) => client.segments.remove(tenantId, id), { onSuccess: () => show(undefined) })
  const { segment } = search
  const close = (): void => setOpen(false)
  if (segment === undefined && Object.keys(filterOf(search)).length === 0) return null
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {segment === undefined ? contactText.saveSegment : contactText.removeSegment}
      </button>
      {isOpen && segment === undefined ? <NameDialog onName={save} onClose={close} /> : null}
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
