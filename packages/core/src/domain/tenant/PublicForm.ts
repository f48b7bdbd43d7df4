/** The methods by which a visitor proves that a person filled in the form. */
export const verifications = ["none", "proof_of_work", "turnstile"] as const

/** A tenant's form that every visitor of its website can submit. */
export interface PublicForm {
  /** False when the tenant has no form. Requests then receive the same response as for an unknown tenant. */
  readonly enabled: boolean
  /**
   * The origins (RFC 6454) of pages that may submit the form, for example `https://www.acme.com`. Origins are compared
   * literally.
   */
  readonly allowedOrigins: ReadonlyArray<string>
  /**
   * The name of a hidden field. People do not see this field, so a value in it means that a program filled in the form.
   */
  readonly honeypot: string
  /** The page to which a visitor without JavaScript is redirected after a submission. Null selects a built-in page. */
  readonly thankYouUrl: string | null
  /** The additional fields that are stored. If the list is empty, all fields are stored. */
  readonly fields: ReadonlyArray<string>
  readonly verification: (typeof verifications)[number]
}

/** The configuration of a tenant that has no form. */
export const closedForm: PublicForm = {
  enabled: false,
  allowedOrigins: [],
  honeypot: "contact_by_fax",
  thankYouUrl: null,
  fields: [],
  verification: "none"
}

/** The fields with a fixed meaning. */
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
  // The field name of the Turnstile widget.
  "cf-turnstile-response"
] as const

/**
 * Returns true when pages of this origin may submit the form. Sandboxed pages and local files send the origin `null`,
 * which is never allowed.
 */
export const allowsOrigin = ({ allowedOrigins }: PublicForm, origin: string): boolean => allowedOrigins.includes(origin)

/** An origin in the format of browsers: lower case, ASCII, without the default port. */
const origin =
  /^(?:https:\/\/(?!.*:443$)|http:\/\/(?!.*:80$))(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[\da-f:.]+\])(?::[1-9]\d{0,4})?$/u

/** A valid redirect target: printable ASCII without a password. */
const page = /^https?:\/\/(?:[a-z0-9.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#][\x21-\x7e]*)?$/iu

/** Returns the errors in the configuration of a form. Paths are relative to `public_form` in `/config`. */
export const checkForm = (form: PublicForm): ReadonlyArray<{ readonly path: string; readonly message: string }> => [
  ...form.allowedOrigins.flatMap((one, index) =>
    origin.test(one)
      ? []
      : [
          {
            path: `allowed_origins.${index}`,
            message: "Expected an origin in the format of browsers, for example https://www.acme.com."
          }
        ]
  ),
  ...(form.thankYouUrl === null || page.test(form.thankYouUrl)
    ? []
    : [{ path: "thank_you_url", message: "Expected an absolute URL that starts with https:// or http://." }]),
  ...(knownFields.some((known) => known === form.honeypot)
    ? [
        {
          path: "honeypot",
          message: "Visitors fill in this field. Choose a name that the form does not use otherwise."
        }
      ]
    : [])
]
