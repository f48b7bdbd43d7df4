import { Schema } from "effect"
import { channels } from "../Channel.ts"
import { TaggedError } from "../TaggedError.ts"
import { Time } from "../Field.ts"
import { CannedReplyId } from "../Id.ts"

/** The maximum number of canned replies of one tenant. */
export const maxCannedReplies = 1_000

/** The maximum length of the text of a canned reply, in characters. */
export const maxCannedReplyLength = 10_000

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

/** A text that people of the tenant insert into their answers. */
export class CannedReply extends Schema.Opaque<CannedReply>()(
  Schema.Struct({
    cannedReplyId: CannedReplyId.annotate({ description: "Canned reply id (`can_…`)" }),
    tenantId: Schema.String,
    name: text(200).annotate({ description: "The name in lists; at most 200 characters" }),
    body: text(maxCannedReplyLength).annotate({
      description: `A Liquid template, for example \`Hello {{ contact.first_name }}\`; at most ${maxCannedReplyLength} characters`
    }),
    folder: Schema.NullOr(text(100)).annotate({ description: "The folder in lists; null: none" }),
    subject: Schema.NullOr(text(300)).annotate({
      description: "The template of the subject of an email; null: the subject does not change"
    }),
    shortcut: Schema.NullOr(Schema.String.check(Schema.isPattern(/^[a-z0-9_-]{1,50}$/u))).annotate({
      description: "A unique short form: lower-case letters, digits, `_` and `-`; null: none"
    }),
    channels: Schema.Array(Schema.Literals(channels)).check(Schema.isMaxLength(channels.length)).annotate({
      description: "The channels for which the reply is written; empty: all"
    }),
    /** The name in lower case, which orders lists and is searched. */
    sortName: Schema.String,
    uses: Schema.Int.annotate({ description: "How often the reply was rendered for a contact" }),
    lastUsedAt: Schema.NullOr(Time).annotate({
      description: "The time of the last use (ISO 8601 in UTC); null: never used"
    }),
    createdAt: Time.annotate({ description: "The time of creation (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** The fields of a canned reply that a person sets. */
export type CannedReplyFields = Pick<CannedReply, "name" | "body" | "folder" | "subject" | "shortcut" | "channels">

/** Returns the form of a name or a search text in which both are compared. */
export const sortNameOf = (name: string): string => name.trim().toLowerCase()

/** The variables that canned replies may use. */
export const cannedReplyVariables = [
  "contact.name",
  "contact.first_name",
  "contact.email",
  "contact.phone",
  "contact.company",
  "tenant.name",
  "user.name",
  "user.email"
] as const

/** The filter of a list of canned replies. A null field does not filter. */
export interface CannedReplyQuery {
  /** Selects names and shortcuts that begin with this text. */
  readonly prefix: string | null
  readonly folder: string | null
}

/** The position of a canned reply in a list, which is ordered by name. */
export type CannedReplyKey = Pick<CannedReply, "sortName" | "cannedReplyId">

/** The tenant has no such canned reply. */
export class CannedReplyNotFound extends TaggedError("CannedReplyNotFound")<{ readonly cannedReplyId: string }> {}

/** The tenant already has `maxCannedReplies` canned replies. */
export class CannedReplyLimitReached extends TaggedError("CannedReplyLimitReached")<{ readonly limit: number }> {}

/** A canned reply cannot be saved or rendered. `issues` names the fields. */
export class CannedReplyInvalid extends TaggedError("CannedReplyInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
