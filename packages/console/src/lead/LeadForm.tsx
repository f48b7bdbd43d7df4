import type { Lead } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useConnection } from "../app/Connection.ts"
import { customFieldsOptions, fieldsOf, valuesIn } from "../app/CustomFields.ts"
import { textIn, wordsIn } from "../app/FormValues.ts"
import { useUserNames } from "../app/Users.ts"
import { CustomFieldControls } from "../component/CustomFieldControls.tsx"
import { Field } from "../component/Field.tsx"
import { Section } from "../component/Page.tsx"
import { leadText } from "../text/Lead.ts"
import { text } from "../text/Shared.ts"
import styles from "./Lead.module.css"
import { useLeadChange } from "./LeadData.ts"

/** The owner of a lead among the users of the tenant. */
const OwnerField = ({ lead }: { readonly lead: Lead }) => {
  const users = useUserNames()
  return (
    <Field label={leadText.owner}>
      {(control) => (
        <select {...control} key={users.size} name="assignee_id" defaultValue={lead.assignee_id ?? ""}>
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

/** The deal of a lead: value, date, owner, tags and custom fields. */
export const LeadForm = ({ lead }: { readonly lead: Lead }) => {
  const fields = fieldsOf(useQuery(customFieldsOptions(useConnection())).data, "lead")
  const [save, isSaving] = useLeadChange(lead)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const value = textIn(data, "value")
    save({
      subject: textIn(data, "subject"),
      value: value === null ? null : Number(value),
      currency: textIn(data, "currency"),
      expected_close_on: textIn(data, "expected_close_on"),
      assignee_id: textIn(data, "assignee_id"),
      tags: wordsIn(data, "tags"),
      custom_fields: valuesIn(data, fields)
    })
  }
  return (
    <Section title={leadText.facts}>
      <form onSubmit={submit}>
        <div className={styles.form}>
          <Field label={leadText.subject}>
            {(control) => <input {...control} name="subject" defaultValue={lead.subject ?? ""} />}
          </Field>
          <OwnerField lead={lead} />
          <Field label={leadText.value}>
            {(control) => (
              <input {...control} name="value" type="number" min={0} step="any" defaultValue={lead.value ?? ""} />
            )}
          </Field>
          <Field label={leadText.currency} hint={leadText.currencyHint}>
            {(control) => <input {...control} name="currency" pattern="[A-Z]{3}" defaultValue={lead.currency ?? ""} />}
          </Field>
          <Field label={leadText.close}>
            {(control) => (
              <input {...control} name="expected_close_on" type="date" defaultValue={lead.expected_close_on ?? ""} />
            )}
          </Field>
          <Field label={leadText.tags} hint={leadText.tagsHint}>
            {(control) => <input {...control} name="tags" defaultValue={lead.tags.join(", ")} />}
          </Field>
          <CustomFieldControls fields={fields} values={lead.custom_fields} />
        </div>
        <button type="submit" disabled={isSaving}>
          {text.save}
        </button>
      </form>
    </Section>
  )
}
