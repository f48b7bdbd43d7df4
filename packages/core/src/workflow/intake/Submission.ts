import { Data } from "effect"
import { type Identity, identitiesOf } from "../../domain/contact/Identity.ts"
import type { PhoneParser } from "../../domain/address/Phone.ts"
import type { SenderProfile } from "../contact/ResolveContact.ts"
import { isEmail, normalizeEmail } from "../../domain/address/Address.ts"
import { visibleLine, visibleText } from "../../domain/email/VisibleText.ts"
import { knownFields, type PublicForm } from "../../domain/tenant/PublicForm.ts"

/** The fields of a form as they came: texts, several of one name as a list, or what JSON can hold. */
export type FormFields = Readonly<Record<string, unknown>>

/** One field that cannot be taken; empty `path`: the form as a whole. */
export interface FormIssue {
  readonly path: string
  readonly message: string
}

/** A form that cannot be taken as it is. */
export class FormInvalid extends Data.TaggedError("FormInvalid")<{ readonly issues: ReadonlyArray<FormIssue> }> {}

/** What somebody has agreed to. */
export interface Consent {
  readonly given: boolean
  /** What stood beside the box; null: the form does not say. */
  readonly text: string | null
}

/** A form that somebody has filled in. */
export interface Submission {
  readonly identities: ReadonlyArray<Identity>
  readonly profile: SenderProfile
  readonly subject: string | null
  readonly body: string
  /** Null: the form asks for none. */
  readonly consent: Consent | null
  /** Fields that have no meaning here. */
  readonly more: FormFields
  /** By which the page tells a second click from a second submission; null: it does not. */
  readonly submissionId: string | null
  /** What shows that a person has filled it in; null: nothing does. */
  readonly proof: string | null
}

/** Most characters of fields that have one line, and of all others. */
const maxLineLength = 255
const maxTextLength = 10_000
/** Most characters of what a widget puts into the form (Cloudflare: 2048). */
const maxProofLength = 2_048
const maxNameLength = 100
const maxFields = 100

/** What is told of a form by a text in each of its fields. */
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

/** Names and sizes; what the fields mean comes after. */
const checkShape = (fields: FormFields): ReadonlyArray<FormIssue> => {
  const names = Object.keys(fields)
  if (names.length > maxFields) return [{ path: "", message: `A form has at most ${maxFields} fields.` }]
  return names.flatMap((path): ReadonlyArray<FormIssue> => {
    const value = fields[path]
    if (path.length > maxNameLength || /\p{Cc}/u.test(path) || path === "__proto__")
      return [{ path: path.slice(0, maxNameLength), message: "A field cannot have this name." }]
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

/** How the sender can be reached: in fields of their own, or in one that takes either. */
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

/** Whether a program has filled in what people do not see. */
export const isHoneypotFilled = (fields: FormFields, { honeypot }: PublicForm): boolean => {
  const value = fields[honeypot]
  return value !== undefined && value !== null && value !== "" && value !== false
}

/** Reads what a form says, or everything that is wrong with it. Phones without a country code are of `country`. */
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
  const email = identities.find(({ kind }) => kind === "email")?.value ?? null
  const undeliverable = email !== null && !isEmail(normalizeEmail(email))
  const wrong = [
    ...issues.map(({ field, message }) => ({ path: field, message })),
    ...(undeliverable ? [{ path: "email", message: "This is not an email address." }] : [])
  ].map(({ message, path }) => ({ path: line(fields, path) === null ? "contact" : path, message }))
  if (wrong.length > 0) return new FormInvalid({ issues: wrong })
  if (identities.length === 0) {
    return new FormInvalid({ issues: [{ path: "email", message: "Give an email address or a phone number." }] })
  }
  const more = moreOf(fields, form)
  return {
    identities,
    profile: {
      name: nameOf(fields),
      email,
      phone: identities.find(({ kind }) => kind === "phone")?.value ?? null,
      company: line(fields, "company")
    },
    subject: line(fields, "subject"),
    body: bodyOf(fields, more),
    consent: consentOf(fields),
    more,
    submissionId: textOf(fields["submission_id"]),
    proof: textOf(fields["proof"]) ?? textOf(fields["cf-turnstile-response"])
  }
}
