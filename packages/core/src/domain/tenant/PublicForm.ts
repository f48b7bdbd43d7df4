/** How a form shows that a person has filled it in. */
export const verifications = ["none", "proof_of_work", "turnstile"] as const

/** The form that anybody may submit to a tenant, from its website. */
export interface PublicForm {
  /** False: the tenant has no form, and nobody can tell it from a tenant that is not there. */
  readonly enabled: boolean
  /** Origins (RFC 6454) of the pages that may submit it, for example `https://www.acme.com`; compared as they are. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** A field that people do not see: who fills it in is a program. */
  readonly honeypot: string
  /** Where a browser goes that submits without a script; null: to a page that says thank you. */
  readonly thankYouUrl: string | null
  /** Further fields that are kept; empty: all that come. */
  readonly fields: ReadonlyArray<string>
  readonly verification: (typeof verifications)[number]
}

/** No form. */
export const closedForm: PublicForm = {
  enabled: false,
  allowedOrigins: [],
  honeypot: "contact_by_fax",
  thankYouUrl: null,
  fields: [],
  verification: "none"
}

/** Fields with a meaning of their own. */
export const knownFields = [
  "name",
  "first_name",
  "last_name",
  "email",
  "phone",
  "contact",
  "company",
  "subject",
  "message",
  "consent",
  "consent_text",
  "submission_id",
  "proof",
  // The name that the widget of Turnstile gives to its field.
  "cf-turnstile-response"
] as const

/** Whether a page of this origin may submit. `null` is what sandboxed pages and files say, so it is nobody's. */
export const allowsOrigin = ({ allowedOrigins }: PublicForm, origin: string): boolean => allowedOrigins.includes(origin)

/** An origin as browsers write it: in lower case, in ASCII, without the usual port. */
const origin =
  /^(?:https:\/\/(?!.*:443$)|http:\/\/(?!.*:80$))(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[\da-f:.]+\])(?::[1-9]\d{0,4})?$/u

/** A URL that a browser can be sent to: in printable ASCII, without a password. */
const page = /^https?:\/\/(?:[a-z0-9.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#][\x21-\x7e]*)?$/iu

/** What keeps a form from being saved; paths are those of `/config`, below `public_form`. */
export const checkForm = (form: PublicForm): ReadonlyArray<{ readonly path: string; readonly message: string }> => [
  ...form.allowedOrigins.flatMap((one, index) =>
    origin.test(one)
      ? []
      : [
          {
            path: `allowed_origins.${index}`,
            message: "Expected an origin as browsers write it: https://www.acme.com."
          }
        ]
  ),
  ...(form.thankYouUrl === null || page.test(form.thankYouUrl)
    ? []
    : [{ path: "thank_you_url", message: "Expected a whole URL that begins with https:// or http://." }]),
  ...(knownFields.some((known) => known === form.honeypot)
    ? [{ path: "honeypot", message: "People fill this field in. Choose a name that the form has no other use for." }]
    : [])
]
