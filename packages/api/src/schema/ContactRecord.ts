import { Schema } from "effect"
import { text, Timestamp } from "./Field.ts"

/** Attributes of one contact at most, and how long their names and texts may be. */
const maxAttributes = 50
const maxAttributeName = 64
const maxAttributeText = 1_000

const attributeName = /^(?!__proto__$).+$/su

/** What a tenant keeps of a contact beyond what everybody has. */
export const Attributes = Schema.Record(
  Schema.String,
  Schema.NullOr(
    Schema.Union([Schema.String.check(Schema.isMaxLength(maxAttributeText)), Schema.Finite, Schema.Boolean])
  )
)
  .check(
    Schema.makeFilter((value) => Object.keys(value).length <= maxAttributes, {
      message: `Expected at most ${maxAttributes} attributes`
    }),
    Schema.makeFilter(
      (value) => Object.keys(value).every((name) => name.length <= maxAttributeName && attributeName.test(name)),
      { message: `Expected names of 1 to ${maxAttributeName} characters` }
    )
  )
  .annotate({
    identifier: "Attributes",
    description: `A flat object of texts, numbers, booleans and nulls; at most ${maxAttributes}`
  })

/** Longest tag. */
export const Tag = text(64)

/** Tags of a contact, as many as it may have. */
export const Tags = Schema.Array(Tag).check(Schema.isMaxLength(50))

export const Contact = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  notes: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  attributes: Schema.Record(Schema.String, Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))),
  archived: Schema.Boolean,
  merged_into: Schema.NullOr(Schema.String).annotate({
    description: "The contact that has everything of this one now; null unless it was merged"
  }),
  created_at: Timestamp,
  updated_at: Timestamp
}).annotate({ identifier: "Contact" })

const short = Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(320))))

/** What a person may set on a contact. */
export const editable = {
  name: short,
  email: short,
  phone: short,
  company: short,
  notes: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(20_000)))),
  tags: Schema.optionalKey(Tags).annotate({ description: "Replaces all tags" }),
  attributes: Schema.optionalKey(Attributes).annotate({ description: "Replaces all attributes" })
}
