import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { refreshRows } from "../app/RowCache.ts"
import { Field } from "../component/Field.tsx"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { textIn } from "../form/FormValues.ts"
import { Rejection } from "../form/Rejection.tsx"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import { contactListsKey } from "./ContactData.ts"

const texts = contactText.create

/** The fields of a new contact with the maximum length of their values, as in the API. */
const fields = [
  { name: "name", label: contactText.name, type: "text", maxLength: 320 },
  { name: "email", label: text.channels.email, type: "email", maxLength: 320 },
  { name: "phone", label: texts.phone, type: "tel", maxLength: 64 },
  { name: "company", label: contactText.company, type: "text", maxLength: 320 }
] as const

/** The form of a new contact. It stays open while the server rejects its values. */
export const NewContact = ({ onClose }: { readonly onClose: () => void }) => {
  const queries = useQueryClient()
  const { client, tenantId } = useConnection()
  const navigate = useNavigate()
  const [isEmpty, setEmpty] = useState(false)
  const create = useMutation({
    mutationFn: (data: FormData) =>
      client.contacts.create(tenantId, Object.fromEntries(fields.map(({ name }) => [name, textIn(data, name)]))),
    onSuccess: async ({ id }) => {
      onClose()
      await navigate({ to: "/contacts/$contactId", params: { contactId: id } })
      await refreshRows(queries, contactListsKey(tenantId))
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const hasValue = fields.some(({ name }) => textIn(data, name) !== null)
    setEmpty(!hasValue)
    if (hasValue) create.mutate(data)
  }
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form onSubmit={submit}>
        {fields.map(({ label, maxLength, name, type }) => (
          <Field key={name} label={label} error={isEmpty && name === "name" ? texts.empty : null}>
            {(control) => <input {...control} name={name} type={type} maxLength={maxLength} autoComplete="off" />}
          </Field>
        ))}
        {create.error === null ? null : <Rejection error={create.error} />}
        <DialogActions>
          <button type="button" onClick={onClose}>
            {text.confirm.cancel}
          </button>
          <button type="submit" disabled={create.isPending}>
            {text.save}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
