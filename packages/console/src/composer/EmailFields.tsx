import { useQuery } from "@tanstack/react-query"
import type { KeyboardEventHandler } from "react"
import { useConnection } from "../app/Connection.ts"
import { Field } from "../component/Field.tsx"
import { composerText } from "../text/Composer.ts"
import styles from "./Composer.module.css"
import { type DraftContent, invalidAddress } from "./DraftContent.ts"
import type { DraftKeeper } from "./DraftKeeper.ts"

interface FieldsProps {
  readonly content: DraftContent
  readonly onChange: DraftKeeper["write"]
}

/** The time in which the list of senders counts as current, in milliseconds. */
const sendersMillis = 300_000

/** The choice of the sender. Shown only if the tenant has several accounts, or if the draft states a sender. */
const SenderField = ({ content: { from }, onChange }: FieldsProps) => {
  const { client, tenantId } = useConnection()
  const found = useQuery({
    queryKey: [tenantId, "senders"],
    queryFn: async ({ signal }) => (await client.email.getAliases(tenantId, { signal })).accounts ?? [],
    staleTime: sendersMillis,
    retry: false
  })
  const senders = (found.data ?? []).flatMap(({ aliases, grant_email: email }) => [email, ...aliases])
  if (senders.length === 0 && from === "") return null
  return (
    <Field label={composerText.email.from}>
      {(control) => (
        <select {...control} value={from} onChange={(event) => onChange({ from: event.target.value })}>
          <option value="">{composerText.email.receiver}</option>
          {[...new Set(from === "" ? senders : [...senders, from])].map((sender) => (
            <option key={sender}>{sender}</option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface SubjectProps extends FieldsProps {
  readonly needsSubject: boolean
  /** Takes the keys that send the email. */
  readonly onKeyDown: KeyboardEventHandler
}

const SubjectField = ({ content, needsSubject, onChange, onKeyDown }: SubjectProps) => (
  <Field
    label={composerText.email.subject}
    hint={needsSubject ? composerText.email.firstSubjectHint : composerText.email.subjectHint}
  >
    {(control) => (
      <input
        {...control}
        maxLength={998}
        required={needsSubject}
        value={content.subject}
        onKeyDown={onKeyDown}
        onChange={(event) => onChange({ subject: event.target.value })}
      />
    )}
  </Field>
)

/** The fields of an email beyond its text. The first email to a contact shows its subject, because it needs one. */
export const EmailFields = (props: SubjectProps) => {
  const { content, needsSubject, onChange, onKeyDown } = props
  const { bcc, cc, from, subject } = content
  const recipients = (name: "bcc" | "cc", value: string) => {
    const invalid = invalidAddress(value)
    return (
      <Field label={composerText.email[name]} error={invalid === null ? null : composerText.email.invalid(invalid)}>
        {(control) => (
          <input
            {...control}
            value={value}
            onChange={(event) => onChange({ [name]: event.target.value })}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
    )
  }
  return (
    <>
      {needsSubject ? <SubjectField {...props} /> : null}
      <details className={styles.more} open={(needsSubject ? "" : subject) + from + cc + bcc !== "" || undefined}>
        <summary>{needsSubject ? composerText.email.showCopies : composerText.email.show}</summary>
        <SenderField content={content} onChange={onChange} />
        {needsSubject ? null : <SubjectField {...props} />}
        {recipients("cc", cc)}
        {recipients("bcc", bcc)}
      </details>
    </>
  )
}
