import { Field } from "../component/Field.tsx"
import { messageText } from "../text/rule/Message.ts"

type WithSubject = { readonly subject?: string | null | undefined }

/** Returns a text with a subject, or without one if it is empty. */
export const withSubject = <Text extends WithSubject>(
  { subject: _, ...others }: Text,
  subject: string
): Omit<Text, "subject"> & { readonly subject?: string } => ({ ...others, ...(subject === "" ? {} : { subject }) })

interface SubjectProps {
  readonly hint: string
  readonly value: string | null | undefined
  readonly onChange: (subject: string) => void
}

/** The subject of an email. */
export const Subject = ({ hint, onChange, value }: SubjectProps) => (
  <Field label={messageText.subject} hint={hint}>
    {(control) => (
      <input {...control} maxLength={300} value={value ?? ""} onChange={(event) => onChange(event.target.value)} />
    )}
  </Field>
)
