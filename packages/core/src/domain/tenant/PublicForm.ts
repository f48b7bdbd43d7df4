import { Schema } from "effect"
import { settings } from "../Settings.ts"
import { isOrigin } from "./WebOrigin.ts"

/** The methods by which a form proves that a person filled it in. */
export const verifications = ["none", "proof_of_work", "turnstile"] as const

const FieldName = Schema.String.check(Schema.isPattern(/^[\p{L}\p{N}_.:[\]-]{1,100}$/u, { message: "Expected a name" }))

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

/** A tenant's form that every visitor of its website can submit. */
export class PublicForm extends Schema.Opaque<PublicForm>()(
  Schema.Struct({
    /** The response for a tenant without a form equals that for an unknown tenant. */
    enabled: Schema.Boolean.annotate({ description: "false: POST /api/v1/public/leads/{tenant_id} answers 404" }),
    /** Origins (RFC 6454), compared literally. */
    allowedOrigins: Schema.Array(text(255)).check(Schema.isMaxLength(50)).annotate({
      description: "The origins of the pages that may submit the form, for example https://www.acme.com"
    }),
    honeypot: FieldName.annotate({
      description:
        "A field that people cannot see. If a submission contains a value for it, the submission receives the usual response and is discarded"
    }),
    thankYouUrl: Schema.NullOr(text(2_048)).annotate({
      description: "The redirect target of a browser without JavaScript; null: a default thank-you page"
    }),
    fields: Schema.Array(FieldName).check(Schema.isMaxLength(100)).annotate({
      description: "The names of further fields that are stored as metadata; empty: all fields are stored"
    }),
    verification: Schema.Literals(verifications).annotate({
      description: "The proof that a person has filled in the form"
    })
  })
) {}

/** The configuration of a tenant that has no form. */
export const closedForm: PublicForm = {
  enabled: false,
  allowedOrigins: [],
  honeypot: "contact_by_fax",
  thankYouUrl: null,
  fields: [],
  verification: "none"
}

/** The JSON of forms. */
export const publicFormJson = settings(PublicForm, "PublicForm", {
  description: "The settings of the form on the tenant's website",
  defaults: closedForm,
  optional: ["honeypot", "thankYouUrl", "fields", "verification"]
})

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

/** A valid redirect target: printable ASCII without a password. */
const page = /^https?:\/\/(?:[a-z0-9.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#][\x21-\x7e]*)?$/iu

/** Returns the errors in the configuration of a form. Paths are relative to `public_form` in `/config`. */
export const checkForm = (form: PublicForm): ReadonlyArray<{ readonly path: string; readonly message: string }> => [
  ...form.allowedOrigins.flatMap((one, index) =>
    isOrigin(one)
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
          message: `This is the name of a regular form field. Choose a name that is not one of: ${knownFields.join(", ")}.`
        }
      ]
    : [])
]
