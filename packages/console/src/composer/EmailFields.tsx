import { Field } from "../component/Field.tsx"
import { composerText } from "../text/Composer.ts"
import styles from "./Composer.module.css"
import { type DraftContent, invalidAddress } from "./DraftContent.ts"
import type { DraftKeeper } from "./DraftKeeper.ts"

interface FieldsProps {
  readonly content: DraftContent
  readonly onChange: DraftKeeper["write"]
}

/** The fields of an email beyond its text. */
export const EmailFields = ({ content, onChange }: FieldsProps) => {
  const { bcc, cc, subject } = content
  const recipients = (name: "bcc" | "cc", value: string) => {
    const invalid = invalidAddress(value)
    return (
      <Field label={composerText.email[name]} error={invalid === null ? null : composerText.email.invalid(invalid)}>
        {(control) => (
          <input {...control} value={value} onChange={(event) => onChange({ [name]: event.target.value })} />
        )}
      </Field>
    )
  }
  return (
    <details className={styles.more} open={subject + cc + bcc !== "" || undefined}>
      <summary>{composerText.email.show}</summary>
      <Field label={composerText.email.subject} hint={composerText.email.subjectHint}>
        {(control) => (
          <input
            {...control}
            maxLength={998}
            value={subject}
            onChange={(event) => onChange({ subject: event.target.value })}
          />
        )}
      </Field>
      {recipients("cc", cc)}
      {recipients("bcc", bcc)}
    </details>
  )
}
