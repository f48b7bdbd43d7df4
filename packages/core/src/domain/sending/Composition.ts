import { Schema } from "effect"
import { type Address, isEmail, normalizeEmail } from "../address/Address.ts"
import { EmailRequestInvalid } from "../email/Grant.ts"
import { headerLine, maxRecipients, recipientsOf } from "../email/OutgoingMail.ts"
import { UploadId } from "../Id.ts"

/** The channels on which a person can write to a contact. */
export const writableChannels = ["email", "sms"] as const

/** The limit of attachments per message. */
export const maxAttachments = 25

/** The limit of addresses in Reply-To. */
export const maxReplyToAddresses = 5

/** An address with an optional display name, as it is stored. */
const Mailbox = Schema.Struct({ email: Schema.String, name: Schema.NullOr(Schema.String) })

/** An upload as an attachment of a message. */
export const AttachedUpload = Schema.Struct({
  uploadId: UploadId,
  /** The id by which the HTML shows the image (`cid:<id>`). Null for a file that is not part of the HTML. */
  contentId: Schema.NullOr(Schema.String)
})
export type AttachedUpload = typeof AttachedUpload.Type

/** A message as a person composed it, before its recipients and its thread are determined. */
export class Composition extends Schema.Opaque<Composition>()(
  Schema.Struct({
    channel: Schema.Literals(writableChannels),
    /** Plain text, or HTML for an email. */
    body: Schema.String,
    /** Null selects the subject of the answered or forwarded mail. A subject without an answered mail opens a thread. */
    subject: Schema.NullOr(Schema.String),
    /** The sender of an email. Null selects the address that received the answered mail, otherwise the account. */
    from: Schema.NullOr(Mailbox),
    /** Empty selects the recipients of the answer, or the contact. */
    to: Schema.Array(Mailbox),
    cc: Schema.Array(Mailbox),
    bcc: Schema.Array(Mailbox),
    replyTo: Schema.Array(Mailbox),
    /** True to send the answer to all recipients of the answered mail. */
    replyAll: Schema.Boolean,
    /** The answered email. Null selects the newest email of the contact. */
    replyToMessageId: Schema.NullOr(Schema.String),
    /** The forwarded email. */
    forwardMessageId: Schema.NullOr(Schema.String),
    attachments: Schema.Array(AttachedUpload)
  })
) {}

/** The fields of a composition that have defaults. */
export type CompositionOptions = Omit<Composition, "body" | "channel">

/** The defaults of a composition: an answer to the newest message of the contact. */
export const plainComposition: CompositionOptions = {
  subject: null,
  from: null,
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  replyAll: false,
  replyToMessageId: null,
  forwardMessageId: null,
  attachments: []
}

/** The fields that requests did not have in earlier versions. */
const laterFields = [
  "subject",
  "from",
  "to",
  "cc",
  "bcc",
  "replyTo",
  "replyToMessageId",
  "forwardMessageId",
  "attachments"
] as const

/**
 * FROZEN as long as idempotency keys with such fingerprints are valid. Returns those of the given fields that differ
 * from the defaults, in a fixed order. A request without them keeps the fingerprint of earlier versions.
 */
export const changedOptions = (
  composition: Composition,
  fields: ReadonlyArray<keyof CompositionOptions> = laterFields
): Partial<CompositionOptions> =>
  Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(composition[field]) !== JSON.stringify(plainComposition[field]))
      .map((field) => [field, composition[field]])
  )

type Issue = EmailRequestInvalid["issues"][number]

/** The fields with addresses. */
const addressFields = ["to", "cc", "bcc", "replyTo"] as const

const pathOf = { to: "to", cc: "cc", bcc: "bcc", replyTo: "reply_to" } as const

const cleanAddress = ({ email, name }: Address): Address => ({
  email: normalizeEmail(email),
  name: name === null ? null : headerLine(name) || null
})

/** A content id without characters that end a header field or an HTML attribute (RFC 2392, in a narrower form). */
const contentIdShape = /^[A-Za-z0-9._@-]{1,100}$/u

const addressIssues = (clean: Composition): ReadonlyArray<Issue> =>
  addressFields.flatMap((field) =>
    clean[field].flatMap(({ email }, index) =>
      isEmail(email) ? [] : [{ path: `${pathOf[field]}.${index}.email`, message: "This is not an email address." }]
    )
  )

const attachmentIssues = ({ attachments }: Composition): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  const seen = new Set<string>()
  if (attachments.length > maxAttachments)
    issues.push({ path: "attachments", message: `Send at most ${maxAttachments} attachments.` })
  for (const [index, { contentId, uploadId }] of attachments.entries()) {
    const path = `attachments.${index}`
    if (seen.has(uploadId)) issues.push({ path: `${path}.upload_id`, message: "The upload is attached twice." })
    if (contentId !== null && seen.has(`cid:${contentId}`))
      issues.push({ path: `${path}.content_id`, message: "Another attachment has the same content id." })
    if (contentId !== null && !contentIdShape.test(contentId))
      issues.push({ path: `${path}.content_id`, message: "Use letters, digits, `.`, `_`, `@` and `-`." })
    seen.add(uploadId).add(`cid:${contentId}`)
  }
  return issues
}

/** Returns the issues of a text that has fields of an email. */
const textIssues = (composition: Composition): ReadonlyArray<Issue> =>
  Object.keys(changedOptions(composition, laterFields.slice(0, -1))).map((field) => ({
    path: field.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
    message: "Only an email has this field."
  }))

const countIssues = (clean: Composition): ReadonlyArray<Issue> => [
  ...(recipientsOf(clean).length > maxRecipients
    ? [{ path: "to", message: `Too many recipients. Send at most ${maxRecipients} in all fields together.` }]
    : []),
  ...(clean.replyTo.length > maxReplyToAddresses
    ? [{ path: "reply_to", message: `Send at most ${maxReplyToAddresses} addresses.` }]
    : [])
]

/** A checked composition: with normalised addresses, or the issues of its fields. */
export type CheckedComposition =
  | { readonly ok: true; readonly composition: Composition }
  | { readonly ok: false; readonly error: EmailRequestInvalid }

/** Checks the fields of a composition that do not depend on stored data, and normalises its addresses. */
export const checkComposition = (given: Composition): CheckedComposition => {
  const { bcc, cc, replyTo, subject, to } = given
  const composition: Composition = {
    ...given,
    subject: subject === null ? null : headerLine(subject),
    to: to.map(cleanAddress),
    cc: cc.map(cleanAddress),
    bcc: bcc.map(cleanAddress),
    replyTo: replyTo.map(cleanAddress)
  }
  const issues = [
    ...addressIssues(composition),
    ...countIssues(composition),
    ...attachmentIssues(composition),
    ...(given.channel === "sms" ? textIssues(given) : [])
  ]
  if (issues.length > 0) return { ok: false, error: new EmailRequestInvalid({ issues }) }
  return { ok: true, composition }
}
