import type { Lead, UpdateLead } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { customFieldsOptions, fieldsOf, valuesIn } from "../form/CustomFields.ts"
import { LiveForm } from "../form/LiveForm.tsx"
import { textIn, wordsIn } from "../form/FormValues.ts"
import { CustomFieldControls } from "../form/CustomFieldControls.tsx"
import { Field, Fields } from "../component/Field.tsx"
import { Section } from "../component/Page.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { text } from "../text/Shared.ts"
import { OwnerField, ownerIn } from "../form/OwnerField.tsx"
import { amountOf, smallestUnits } from "../design/Number.ts"
import { leadText } from "../text/Lead.ts"
import { useLeadChange } from "./LeadData.ts"

/** The deal of a lead: value, date, owner, tags and custom fields. */
export const LeadForm = ({ lead }: { readonly lead: Lead }) => {
  const fields = fieldsOf(useQuery(customFieldsOptions(useConnection())).data, "lead")
  const otherOwner = lead.assignee_id === null ? lead.assignee : null
  const [save, isSaving] = useLeadChange(() => noticeSuccess(text.saved))
  const saveForm = (data: FormData, onSuccess: () => void): void => {
    const amount = textIn(data, "value")
    const currency = textIn(data, "currency")
    const change: UpdateLead = {
      subject: textIn(data, "subject"),
      value: amount === null ? null : smallestUnits(Number(amount), currency),
      currency,
      expected_close_on: textIn(data, "expected_close_on"),
      ...ownerIn(data, otherOwner),
      tags: wordsIn(data, "tags"),
      custom_fields: valuesIn(data, fields)
    }
    save({ lead, change }, { onSuccess })
  }
  return (
    <Section title={leadText.facts}>
      <LiveForm version={lead.updated_at} isSaving={isSaving} onSave={saveForm}>
        <Fields>
          <Field label={leadText.subject}>
            {(control) => <input {...control} name="subject" defaultValue={lead.subject ?? ""} />}
          </Field>
          <OwnerField ownerId={lead.assignee_id} otherOwner={otherOwner} />
          <Field label={leadText.value}>
            {(control) => (
              <input
                {...control}
                name="value"
                type="number"
                min={0}
                step="any"
                defaultValue={lead.value === null ? "" : amountOf(lead.value, lead.currency)}
              />
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
        </Fields>
      </LiveForm>
    </Section>
  )
}
