// Contacts: their fields, identities and merges. Their records in a CRM do not belong here (`domain/crm`). Tests:
// `packages/core/test/domain/contact`, `packages/testkit/src/suite/contact`.

import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { FieldValues } from "../field/FieldValues.ts"
import { CompanyId, ContactId } from "../Id.ts"
import { Time } from "../Field.ts"

/** A tenant's additional data about a contact. The values are not nested, so they can be shown and compared. */
export const ContactAttributes = Schema.Record(
  Schema.String,
  Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))
)
export type ContactAttributes = typeof ContactAttributes.Type

/** The limit of tags per contact. */
export const maxTags = 50

const ShortText = Schema.NullOr(Schema.String.check(Schema.isMaxLength(320)))

/** A person or business that communicates with the tenant. */
export class Contact extends Schema.Opaque<Contact>()(
  Schema.Struct({
    contactId: ContactId.annotate({ description: "Contact id (`con_…`). Ids sort by creation time" }),
    tenantId: Schema.String,
    name: ShortText.annotate({
      description: "The name of the person or business; at most 320 characters; null: unknown"
    }),
    /** The address for messages, as first given. The identities contain every normalised address. */
    email: ShortText.annotate({ description: "The address for messages, as first given; null: unknown" }),
    /** In E.164 if the number is valid, otherwise as given. */
    phone: ShortText.annotate({ description: "In E.164 if the number is valid, otherwise as given; null: unknown" }),
    company: ShortText.annotate({ description: "The employer or business of the contact; null: unknown" }),
    notes: Schema.NullOr(Schema.String.check(Schema.isMaxLength(20_000))).annotate({
      description: "Free text for agents; at most 20,000 characters. The contact never sees it; null: none"
    }),
    tags: Schema.Array(Schema.String).annotate({ description: "Labels set by people and by rules; at most 50" }),
    attributes: ContactAttributes.annotate({ description: "Free-form values of the tenant, by name" }),
    customFields: FieldValues.annotate({
      description: "The values of the tenant's custom fields, by key (`/fields`)",
      whenAbsent: {}
    }),
    companyId: Schema.NullOr(CompanyId).annotate({
      description: "The company to which the contact belongs; null: none"
    }),
    companyRemoved: Schema.Boolean.annotate({
      description: "Whether a person removed the contact from its company, so that no company is set automatically",
      whenAbsent: false
    }),
    createdAt: Time.annotate({ description: "The time at which the contact was created (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change of the contact (ISO 8601 in UTC)" }),
    archivedAt: Schema.NullOr(Time),
    /** The contact that this one was merged into. A merged contact is read-only until the merge is undone. */
    mergedInto: Schema.NullOr(ContactId).annotate({
      description: "The contact into which this one was merged; null: not merged"
    })
  })
) {}

/** Returns a new contact without any value. */
export const emptyContact = (tenantId: string, contactId: ContactId, now: number): Contact => ({
  contactId,
  tenantId,
  name: null,
  email: null,
  phone: null,
  company: null,
  notes: null,
  tags: [],
  attributes: {},
  customFields: {},
  companyId: null,
  companyRemoved: false,
  createdAt: now,
  updatedAt: now,
  archivedAt: null,
  mergedInto: null
})

/** The tenant has no contact with this id. */
export class ContactNotFound extends TaggedError("ContactNotFound")<{ readonly contactId: string }> {}

/** The contact was merged into another one. Change that contact, or undo the merge. */
export class ContactMerged extends TaggedError("ContactMerged")<{
  readonly contactId: ContactId
  readonly mergedInto: ContactId
}> {}

/** Another contact already has an identity of the new or changed contact. */
export class ContactExists extends TaggedError("ContactExists")<{
  readonly contactId: ContactId
  readonly identity: string
}> {}

/** The given email address, phone number or external id is invalid. */
export class IdentityInvalid extends TaggedError("IdentityInvalid")<{
  /** The field of the request; empty if the error concerns the whole request. */
  readonly field: "email" | "phone" | "external_id" | "value" | ""
  readonly reason: string
}> {}
