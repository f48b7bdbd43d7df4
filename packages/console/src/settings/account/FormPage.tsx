import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { Facts } from "../../component/Facts.tsx"
import { noticeSuccess } from "../../component/Notices.tsx"
import { Field } from "../../component/Field.tsx"
import { Page, Section } from "../../component/Page.tsx"
import { accountText } from "../../text/Account.ts"
import { text } from "../../text/Shared.ts"
import type { Action } from "../Listing.ts"
import { PageActions } from "../PageActions.tsx"
import { linesOf, optionOf, textOrNull } from "../Values.ts"
import { htmlOf, type PublicForm, visitorFields } from "./FormFields.ts"

const { form: shown } = accountText

const noForm: PublicForm = { enabled: false, allowed_origins: [] }

const change = (form: PublicForm): Action => ({
  label: text.edit,
  operation: "config.update",
  fields: [
    { name: "enabled", label: shown.state, options: shown.states, initial: form.enabled ? "on" : "off" },
    {
      name: "origins",
      label: shown.origins,
      hint: shown.originsHint,
      type: "textarea",
      isRequired: false,
      initial: form.allowed_origins.join("\n")
    },
    {
      name: "fields",
      label: shown.fields,
      hint: shown.fieldsHint,
      type: "textarea",
      isRequired: false,
      initial: (form.fields ?? []).join("\n")
    },
    { name: "thanks", label: shown.thanks, type: "url", isRequired: false, initial: form.thank_you_url ?? "" },
    {
      name: "verification",
      label: shown.verification,
      options: shown.verifications,
      initial: form.verification ?? "none"
    }
  ],
  send: async ({ client, tenantId }, { enabled, fields, origins, thanks, verification }) => {
    const allowed = linesOf(origins)
    await client.config.update(tenantId, {
      public_form: {
        enabled: enabled === "on",
        allowed_origins: allowed,
        fields: linesOf(fields),
        thank_you_url: textOrNull(thanks),
        verification: optionOf(shown.verifications, verification) ?? "none"
      }
    })
    return null
  }
})

/** The HTML of the form, and the button that copies it. */
const FormHtml = ({ hint, html }: { readonly html: string; readonly hint: string | undefined }) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const copy = async (): Promise<void> => {
    field.current?.select()
    // Browsers offer the clipboard only on pages with https. The text is selected anyway.
    await navigator.clipboard?.writeText(html).then(
      () => noticeSuccess(shown.copied),
      () => undefined
    )
  }
  return (
    <>
      <Field label={shown.htmlLabel} hint={hint}>
        {(control) => <textarea {...control} ref={field} readOnly rows={10} value={html} />}
      </Field>
      <p>
        <button type="button" onClick={() => void copy()}>
          {shown.copy}
        </button>
      </p>
    </>
  )
}

/** Shows the form as visitors see it. It cannot be filled in. */
const Preview = ({ form }: { readonly form: PublicForm }) => (
  <div inert>
    {visitorFields(form).map(({ label, name, type }) => (
      <Field key={name} label={label}>
        {(control) => (type === "textarea" ? <textarea {...control} rows={3} /> : <input {...control} type={type} />)}
      </Field>
    ))}
    <button type="button">{shown.visitor.send}</button>
  </div>
)

interface FormProps {
  readonly form: PublicForm
  readonly tenantId: string
}

const FormSections = ({ form, tenantId }: FormProps) => (
  <>
    <Section title={shown.settings}>
      <Facts
        facts={[
          [shown.state, shown.states[form.enabled ? "on" : "off"]],
          [shown.origins, form.allowed_origins.join(", ") || null],
          [shown.thanks, form.thank_you_url ?? null],
          [shown.verification, shown.verifications[form.verification ?? "none"]]
        ]}
      />
    </Section>
    <Section title={shown.preview}>
      <Preview form={form} />
    </Section>
    <Section title={shown.html}>
      <FormHtml
        html={htmlOf(location.origin, tenantId, form)}
        hint={form.verification === "none" ? undefined : shown.htmlHint}
      />
    </Section>
  </>
)

/** The form of the tenant's website: its settings, a preview, and its HTML. */
export const FormPage = () => {
  const queries = useQueryClient()
  const { client, tenantId } = useConnection()
  const queryKey = [tenantId, "form", "settings"]
  const config = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await client.config.get(tenantId, { signal })).config.public_form ?? noForm
  })
  const onDone = () => void queries.invalidateQueries({ queryKey })
  return (
    <Page
      title={shown.title}
      actions={config.data === undefined ? undefined : <PageActions actions={[change(config.data)]} onDone={onDone} />}
    >
      <Loaded query={config}>{(form) => <FormSections form={form} tenantId={tenantId} />}</Loaded>
    </Page>
  )
}
