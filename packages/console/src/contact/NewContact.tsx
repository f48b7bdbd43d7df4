import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useConnection } from "../app/Connection.ts"
import { refreshRows } from "../app/RowCache.ts"
import { FormDialog, NamedField, type Reasons } from "../form/FormDialog.tsx"
import { textIn } from "../form/FormValues.ts"
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

const check = (data: FormData): Reasons =>
  fields.some(({ name }) => textIn(data, name) !== null) ? {} : { name: texts.empty }

/** The form of a new contact. It stays open until the server accepts it. */
export const NewContact = ({ onClose }: { readonly onClose: () => void }) => {
  const queries = useQueryClient()
  const { client, tenantId } = useConnection()
  const navigate = useNavigate()
  return (
    <FormDialog
      title={texts.title}
      action={text.save}
      check={check}
      send={(data) =>
        client.contacts.create(tenantId, Object.fromEntries(fields.map(({ name }) => [name, textIn(data, name)])))
      }
      onDone={async ({ id }) => {
        await navigate({ to: "/contacts/$contactId", params: { contactId: id } })
        await refreshRows(queries, contactListsKey(tenantId))
      }}
      onClose={onClose}
    >
      {fields.map(({ label, maxLength, name, type }) => (
        <NamedField key={name} name={name} label={label}>
          {(control) => <input {...control} type={type} maxLength={maxLength} autoComplete="off" />}
        </NamedField>
      ))}
    </FormDialog>
  )
}
