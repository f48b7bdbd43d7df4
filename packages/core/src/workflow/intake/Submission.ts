import { TaggedError } from "../../domain/TaggedError.ts"
import { type Identity, identitiesOf } from "../../domain/contact/Identity.ts"
import type { PhoneParser } from "../../domain/address/Phone.ts"
import { profileOf, type SenderProfile } from "../../domain/contact/Resolve.ts"
import { isEmail, normalizeEmail } from "../../domain/address/Address.ts"
import { visibleLine, visibleText } from "../../domain/email/VisibleText.ts"
import { knownFields, type PublicForm } from "../../domain/tenant/PublicForm.ts"

/**
 * The submitted fields of a form. A value is a text, a list of the values of a repeated name, or another JSON value.
 */
export type FormFields = Readonly<Record<string, unknown>>

/** An invalid field. An empty `path` means the form as a whole. */
export interface FormIssue {
  readonly path: string
  readonly message: string
}

export class FormInvalid extends TaggedError("FormInvalid")<{ readonly issues: ReadonlyArray<FormIssue> }> {}

/** The visitor's consent in a form. */
export interface Consent {
  readonly given: boolean
  /** The text next to the checkbox. Null when the form does not send it. */
  readonly text: string | null
}

/** A validated submission of a form. */
export interface Submission {
  readonly identities: ReadonlyArray<Identity>
  readonly profile: SenderProfile
  readonly subject: string | null
  readonly body: string
  /** Null when the form does not ask for consent. */
  readonly consent: Consent | null
  /** The fields that have no fixed meaning. */
  readonly more: FormFields
  /**
   * The page's id of the submission. It distinguishes a double click from a second submission. Null when the page sends
   * none.
   */
  readonly submissionId: string | null
  /** The token that proves a human visitor. Null when the page sends none. */
  readonly proof: string | null
}

/** The maximum length of a single-line field, and of any other field, in characters. */
const maxLineLength = 255
const maxTextLength = 10_000
/** The maximum length of a widget's token, in characters (Cloudflare: 2048). */
const maxProofLength = 2_048
const maxNameLength = 100
const maxFields = 100

/** Returns the text of a field. Returns null for an empty field, and for values other than texts and numbers. */
const textOf = (value: unknown): string | null => {
  if (typeof value === "string") return value.trim() === "" ? null : value.trim()
  return typeof value === "number" && Number.isFinite(value) ? String(value) : null
}

const maxLengthOf = (name: string): number => {
  if (name === "message" || name === "consent_text") return maxTextLength
  return name === "proof" || name === "cf-turnstile-response" ? maxProofLength : maxLineLength
}

const isText = (value: unknown): boolean =>
  value === null || value === undefined || typeof value === "string" || typeof value === "number"

/** Checks the number of fields, their names and their sizes, but not their meaning. */
const checkShape = (fields: FormFields): ReadonlyArray<FormIssue> => {
  const names = Object.keys(fields)
  if (names.length > maxFields) return [{ path: "", message: `Too many fields. Send at most ${maxFields}.` }]
  return names.flatMap((path): ReadonlyArray<FormIssue> => {
    const value = fields[path]
    if (path.length > maxNameLength || /\p{Cc}/u.test(path) || path === "__proto__")
      return [
        {
          path: path.slice(0, maxNameLength),
          message: `Invalid field name. Use up to ${maxNameLength} printable characters.`
        }
      ]
    const known = knownFields.some((name) => name === path) && path !== "consent"
    if (known && !isText(value)) return [{ path, message: "Expected a text." }]
    const max = known ? maxLengthOf(path) : maxTextLength
    const long = typeof value === "string" && value.trim().length > max
    return long ? [{ path, message: `Expected at most ${max} characters.` }] : []
  })
}

const line = (fields: FormFields, name: string): string | null => {
  const text = visibleLine(textOf(fields[name]) ?? "")
  return text === "" ? null : text
}

const nameOf = (fields: FormFields): string | null => {
  const parts = [line(fields, "first_name"), line(fields, "last_name")].filter((part) => part !== null)
  return line(fields, "name") ?? (parts.length === 0 ? null : parts.join(" "))
}

/**
 * Returns the sender's address and number, from the fields `email` and `phone` or from the combined field `contact`.
 */
const claimsOf = (fields: FormFields) => {
  const contact = line(fields, "contact")
  const either = contact === null ? {} : contact.includes("@") ? { email: contact } : { phone: contact }
  const email = line(fields, "email")
  const phone = line(fields, "phone")
  return { ...either, ...(email === null ? {} : { email }), ...(phone === null ? {} : { phone }) }
}

const consentOf = (fields: FormFields): Consent | null => {
  const { consent } = fields
  const text = visibleText(textOf(fields["consent_text"]) ?? "").trim()
  if ((consent === undefined || consent === null) && text === "") return null
  const said = textOf(consent)?.toLowerCase() ?? (consent === true ? "true" : "")
  return { given: !["", "0", "false", "no", "off"].includes(said), text: text === "" ? null : text }
}

const moreOf = (fields: FormFields, form: PublicForm): FormFields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) =>
        name !== form.honeypot &&
        value !== "" &&
        !knownFields.some((known) => known === name) &&
        (form.fields.length === 0 || form.fields.includes(name))
    )
  )

const bodyOf = (fields: FormFields, more: FormFields): string => {
  const message = visibleText(textOf(fields["message"]) ?? "").trim()
  if (message !== "") return message
  const said = Object.entries(more).map(([name, value]) => `${name}: ${textOf(value) ?? JSON.stringify(value)}`)
  return said.length === 0 ? "Sent the form without a message." : visibleText(said.join("\n")).slice(0, maxTextLength)
}

/** Returns whether the hidden field has a value. Only a program fills it in. */
export const isHoneypotFilled = (fields: FormFields, { honeypot }: PublicForm): boolean => {
  const value = fields[honeypot]
  return value !== undefined && value !== null && value !== "" && value !== false
}

/**
 * Validates a form. Returns the submission, or all issues. `country` applies to phone numbers without a country code.
 */
export const readSubmission = (
  fields: FormFields,
  form: PublicForm,
  country: string,
  parsePhone: PhoneParser
): Submission | FormInvalid => {
  const shape = checkShape(fields)
  if (shape.length > 0) return new FormInvalid({ issues: shape })
  const claims = claimsOf(fields)
  const { identities, issues } = identitiesOf(claims, country, parsePhone)
  const profile = profileOf(identities, { name: nameOf(fields), company: line(fields, "company") })
  const undeliverable = profile.email !== null && !isEmail(normalizeEmail(profile.email))
  const wrong = [
    ...issues.map(({ field, message }) => ({ path: field, message })),
    ...(undeliverable ? [{ path: "email", message: "This is not an email address." }] : [])
  ].map(({ message, path }) => ({ path: line(fields, path) === null ? "contact" : path, message }))
  if (wrong.length > 0) return new FormInvalid({ issues: wrong })
  if (identities.length === 0) {
    return new FormInvalid({
      issues: [{ path: "email", message: "The form has no email address and no phone number. Send one of them." }]
    })
  }
  const more = moreOf(fields, form)
  return {
    identities,
    profile,
    subject: line(fields, "subject"),
    body: bodyOf(fields, more),
    consent: consentOf(fields),
    more,
    submissionId: textOf(fields["submission_id"]),
    proof: textOf(fields["proof"]) ?? textOf(fields["cf-turnstile-response"])
  }
}
