import { Result, Schema, SchemaIssue } from "effect"
import type { ContactAttributes } from "../contact/Contact.ts"
import type { Message, MessageFlag } from "../conversation/Message.ts"
import type { MailAttachment } from "../email/ParsedMail.ts"
import type { ScoreFactor } from "../lead/Score.ts"
import { optOutSources, type ConsentChange } from "../consent/OptOut.ts"
import { Classification } from "../classification/Classification.ts"
import type { FieldSchema } from "../Field.ts"
import type { Row } from "./Record.ts"
import { runShapes } from "./RunShape.ts"

/** Builds a schema of all members of a union. A new member causes a compile error at each call. */
const oneOf = <W extends string>(words: Readonly<Record<W, true>>) => {
  const isKnown = (word: string): word is W => Object.hasOwn(words, word)
  return Schema.String.pipe(Schema.refine(isKnown, { expected: `one of ${Object.keys(words).join(", ")}` }))
}

const Texts = Schema.Array(Schema.String)
const NullableText = Schema.NullOr(Schema.String)
/** An object with any fields: the metadata of a sender or the data of an activity. */
const AnyObject = Schema.Record(Schema.String, Schema.Unknown) satisfies Schema.Schema<Message["metadata"]>

const Flags = Schema.Array(
  oneOf<MessageFlag>({
    sender_unverified: true,
    reused_message_id: true,
    subject_changed: true,
    no_auto_reply: true,
    unparsed_deadline: true,
    unparsed_memory: true,
    unparsed_failed: true
  })
)

const Attachments = Schema.Array(
  Schema.Struct({
    filename: NullableText,
    contentType: Schema.String,
    size: Schema.Finite,
    contentId: NullableText,
    inline: Schema.Boolean,
    method: Schema.optionalKey(Schema.String),
    stored: Schema.optionalKey(Schema.Literal(true))
  })
) satisfies Schema.Schema<ReadonlyArray<MailAttachment>>

const Attributes = Schema.Record(
  Schema.String,
  Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))
) satisfies Schema.Schema<ContactAttributes>

const Factors = Schema.Array(Schema.Struct({ name: Schema.String, points: Schema.Finite })) satisfies Schema.Schema<
  ReadonlyArray<ScoreFactor>
>

const Wishes = Schema.Array(
  Schema.Struct({ optedOut: Schema.Boolean, source: Schema.Literals(optOutSources), at: Schema.Finite })
) satisfies Schema.Schema<ReadonlyArray<ConsentChange>>

/** The schemas of JSON columns by table. */
export const shapes: Readonly<Record<string, Readonly<Record<string, Schema.Codec<unknown>>>>> = {
  contacts: { tags: Texts, attributes: Attributes },
  messages: {
    to_addresses: Texts,
    cc_addresses: Texts,
    reply_to: Texts,
    reference_ids: Texts,
    flags: Flags,
    attachments: Attachments,
    metadata: AnyObject
  },
  leads: { factors: Factors, classification: Schema.NullOr(Classification) },
  lead_scores: { factors: Factors, recommended_actions: Texts, classification: Schema.NullOr(Classification) },
  opt_outs: { history: Wishes },
  runs: runShapes,
  activities: { data: AnyObject }
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const stepOf = (step: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof step === "object" ? step.key : step)

/** Creates a check of a column that returns the first schema violation with its path, or null. */
export const shapeCheck = (column: string, shape: FieldSchema): ((row: Row) => string | null) => {
  const read = Schema.decodeUnknownResult(shape, { errors: "first", onExcessProperty: "error" })
  return (row) => {
    const result = read(row[column] ?? null)
    if (Result.isSuccess(result)) return null
    const [issue] = format(result.failure.issue).issues
    const place = [column, ...(issue?.path ?? []).map(stepOf)].join(".")
    return `has an invalid value in ${place}: ${issue?.message ?? "it cannot be decoded"}`
  }
}

const readers = new Map(
  Object.entries(shapes).map(([name, columns]) => [
    name,
    Object.entries(columns).map(([column, shape]) => shapeCheck(column, shape))
  ])
)

/** Returns the first schema violation in a row's JSON columns with its path, or null. */
export const shapeViolationsIn = (name: string, row: Row): string | null => {
  for (const check of readers.get(name) ?? []) {
    const violation = check(row)
    if (violation !== null) return violation
  }
  return null
}
