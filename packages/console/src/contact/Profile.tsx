import type { Contact, UpdateContact } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { customFieldsOptions, fieldsOf, valuesIn } from "../form/CustomFields.ts"
import { LiveForm } from "../form/LiveForm.tsx"
import { textIn, wordsIn } from "../form/FormValues.ts"
import { CustomFieldControls } from "../form/CustomFieldControls.tsx"
import { Field, Fields } from "../component/Field.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { Section } from "../component/Page.tsx"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import { useContactAction } from "./ContactData.ts"

const noCompany = ""

/** Chooses the company record. The list offers the first companies that match the typed name. */
const CompanyField = ({ companyId }: { readonly companyId: string | null }) => {
  const { client, tenantId } = useConnection()
  const [query, setQuery] = useState("")
  const companies = useQuery({
    queryKey: [tenantId, "companies", query] as const,
    queryFn: ({ signal }) => client.companies.list(tenantId, { limit: 100, ...(query === "" ? {} : { query }), signal })
  })
  const current = useQuery({
    queryKey: [tenantId, "company", companyId] as const,
    queryFn: ({ signal }) => client.companies.get(tenantId, companyId ?? noCompany, { signal }),
    enabled: companyId !== null
  })
  const found = companies.data?.companies ?? []
  const isListed = companyId === null || found.some(({ id }) => id === companyId)
  const shown = isListed || current.data === undefined ? found : [current.data, ...found]
  return (
    <>
      <Field label={contactText.companyRecord}>
        {(control) => (
          <select {...control} key={shown.length} name="company_id" defaultValue={companyId ?? noCompany}>
            <option value={noCompany}>{text.none}</option>
            {shown.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {(companies.data?.next_cursor ?? null) === null && query === "" ? null : (
        <Field label={contactText.findCompany}>
          {(control) => <input {...control} type="search" onChange={(event) => setQuery(event.target.value)} />}
        </Field>
      )}
    </>
  )
}

/** The editable facts about a contact. */
export const Profile = ({ contact }: { readonly contact: Contact }) => {
  const connection = useConnection()
  const fields = fieldsOf(useQuery(customFieldsOptions(connection)).data, "contact")
  const [save, isSaving] = useContactAction(contact.id, async ({ client, tenantId }, change: UpdateContact) => {
    await client.contacts.update(tenantId, contact.id, change)
    noticeSuccess(text.saved)
  })
  const saveForm = (data: FormData, onSuccess: () => void): void => {
    const change: UpdateContact = {
      name: textIn(data, "name"),
      company: textIn(data, "company"),
      company_id: textIn(data, "company_id"),
      notes: textIn(data, "notes"),
      tags: wordsIn(data, "tags"),
      custom_fields: valuesIn(data, fields)
    }
    save(change, { onSuccess })
  }
  return (
    <Section title={contactText.profile.title}>
      <LiveForm version={contact.updated_at} isSaving={isSaving} onSave={saveForm}>
        <Fields>
          <Field label={contactText.name}>
            {(control) => <input {...control} name="name" defaultValue={contact.name ?? ""} />}
          </Field>
          <Field label={contactText.company}>
            {(control) => <input {...control} name="company" defaultValue={contact.company ?? ""} />}
          </Field>
          <CompanyField companyId={contact.company_id} />
          <Field label={contactText.tags} hint={contactText.tagsHint}>
            {(control) => <input {...control} name="tags" defaultValue={contact.tags.join(", ")} />}
          </Field>
          <CustomFieldControls fields={fields} values={contact.custom_fields} />
        </Fields>
        <Field label={contactText.notes}>
          {(control) => <textarea {...control} name="notes" rows={4} defaultValue={contact.notes ?? ""} />}
        </Field>
      </LiveForm>
    </Section>
  )
}
