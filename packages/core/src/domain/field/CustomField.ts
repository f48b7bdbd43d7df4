// Custom fields: the typed fields that a tenant defines for its contacts, leads and companies, and the check of their
// values. The fields of Leadloom's own nouns do not belong here. Tests: `packages/core/test/domain/field`,
// `packages/testkit/src/suite/field`.

import { Schema } from "effect"
import { Time } from "../Field.ts"
import { CustomFieldId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"

/** The records that can have custom fields. */
export const fieldEntities = ["contact", "lead", "company"] as const
export type FieldEntity = (typeof fieldEntities)[number]

export const fieldTypes = ["text", "number", "date", "boolean", "select", "multi_select", "url", "user"] as const
export type FieldType = (typeof fieldTypes)[number]

/** The limit of custom fields per entity of a tenant. */
export const maxFieldsPerEntity = 50
/** The limit of options per field. */
export const maxFieldOptions = 100
/** The limit of characters per option. An index contains the option. */
export const maxFieldOptionLength = 64

const fieldKeyPattern = /^[a-z][a-z0-9_]{0,62}$/u

/** A custom field of a tenant. */
export class CustomField extends Schema.Opaque<CustomField>()(
  Schema.Struct({
    fieldId: CustomFieldId.annotate({ description: "Field id (`fld_…`)" }),
    tenantId: Schema.String,
    entity: Schema.Literals(fieldEntities).annotate({ description: "The records that have this field" }),
    key: Schema.String.check(Schema.isPattern(fieldKeyPattern)).annotate({
      description:
        "The name of the field in `custom_fields`: lower-case letters, digits and `_`, at most 63 characters. It never changes"
    }),
    label: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(100)).annotate({
      description: "The name that agents see; at most 100 characters"
    }),
    type: Schema.Literals(fieldTypes).annotate({
      description:
        "The type of the values. `date`: YYYY-MM-DD. `url`: http or https. `user`: the id of a user. It never changes"
    }),
    options: Schema.Array(Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxFieldOptionLength))).annotate({
      description: "The permitted values of a `select` or `multi_select` field; otherwise empty"
    }),
    required: Schema.Boolean.annotate({
      description: "Whether a write of custom fields must leave this field with a value"
    }),
    createdAt: Time.annotate({ description: "The time at which the field was created (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change of the field (ISO 8601 in UTC)" })
  })
) {}

/** The tenant has no custom field with this id. */
export class CustomFieldNotFound extends TaggedError("CustomFieldNotFound")<{ readonly fieldId: string }> {}

/** The entity already has a custom field with this key. */
export class CustomFieldExists extends TaggedError("CustomFieldExists")<{
  readonly entity: FieldEntity
  readonly key: string
}> {}

/** The entity has the maximum number of custom fields. */
export class CustomFieldLimitReached extends TaggedError("CustomFieldLimitReached")<{ readonly limit: number }> {}

/** Rules compare the custom field, so it cannot be removed. */
export class CustomFieldInUse extends TaggedError("CustomFieldInUse")<{
  readonly key: string
  /** The names of the rules. */
  readonly rules: ReadonlyArray<string>
}> {}

/** The definition of a custom field is invalid. */
export class CustomFieldInvalid extends TaggedError("CustomFieldInvalid")<{
  readonly field: "options"
  readonly reason: string
}> {}

/** Returns the reason why the options do not suit the type of the field; null if they do. */
export const optionsError = ({ options, type }: Pick<CustomField, "options" | "type">): string | null => {
  const hasOptions = type === "select" || type === "multi_select"
  if (!hasOptions) return options.length === 0 ? null : `A field of the type ${type} has no options.`
  if (options.length === 0) return `A field of the type ${type} requires at least one option.`
  if (options.length > maxFieldOptions) return `A field has at most ${maxFieldOptions} options.`
  return new Set(options).size === options.length ? null : "Each option must be unique."
}
