import { Contact as ContactNoun } from "@leadloom/core/internal/domain/contact/Contact"
import { maxFieldsPerEntity } from "@leadloom/core/internal/domain/field/CustomField"
import { FieldChanges } from "@leadloom/core/internal/domain/field/FieldValues"
import { Schema } from "effect"
import { text, unstated } from "./Field.ts"
import { changeRequest, computed, wire } from "./Wire.ts"

/** Limits of the attributes of one contact: their number, and the lengths of names and values in characters. */
const maxAttributes = 50
const maxAttributeName = 64
const maxAttributeText = 1_000

const attributeName = /^(?!__proto__$).+$/su

/** Free-form attributes of a contact, defined by the tenant. */
export const Attributes = Schema.Record(
  Schema.String,
  Schema.NullOr(
    Schema.Union([Schema.String.check(Schema.isMaxLength(maxAttributeText)), Schema.Finite, Schema.Boolean])
  )
)
  .check(
    Schema.makeFilter((value) => Object.keys(value).length <= maxAttributes, {
      ...unstated,
      message: `Expected at most ${maxAttributes} attributes`
    }),
    Schema.makeFilter(
      (value) => Object.keys(value).every((name) => name.length <= maxAttributeName && attributeName.test(name)),
      { ...unstated, message: `Expected names of 1 to ${maxAttributeName} characters` }
    )
  )
  .annotate({
    identifier: "Attributes",
    description: `A flat object of strings, numbers, booleans and nulls; at most ${maxAttributes} attributes`
  })

export const Tag = text(64)

/** The custom fields to change, by key. The workflow checks keys and values against their definitions. */
export const CustomFieldChanges = FieldChanges.check(
  Schema.makeFilter((value) => Object.keys(value).length <= maxFieldsPerEntity, {
    ...unstated,
    message: `Expected at most ${maxFieldsPerEntity} custom fields`
  })
).annotate({
  identifier: "CustomFieldChanges",
  description: "The custom fields to change, by key. Absent fields stay; null removes a value"
})

/** The complete list of a contact's tags. */
export const Tags = Schema.Array(Tag).check(Schema.isMaxLength(50))

export const { schema: Contact, toJson: contactToJson } = wire(ContactNoun, "Contact", {
  description: "A person or business that communicates with the tenant",
  id: "contactId",
  omit: ["tenantId", "archivedAt"],
  computed: {
    archived: computed(
      Schema.Boolean.annotate({ description: "Whether the contact is archived (soft-deleted)" }),
      ({ archivedAt }) => archivedAt !== null
    )
  }
})

export const { schema: UpdateContact } = changeRequest(
  ContactNoun,
  "UpdateContact",
  "The fields to change. Absent fields stay; null removes a value",
  {
    name: {},
    email: {},
    phone: {},
    company: {},
    companyId: {
      schema: Schema.NullOr(text(64)),
      description:
        "The company of the contact. Null removes the contact from its company, and no company is set automatically afterwards. A new contact gets the company of its email domain"
    },
    notes: {},
    tags: { schema: Tags, description: "Replaces all tags" },
    attributes: { schema: Attributes, description: "Replaces all attributes" },
    customFields: {
      schema: CustomFieldChanges,
      description: "The custom fields to change, by key. Absent fields stay; null removes a value"
    }
  }
)

export const CreateContact = Schema.Struct(UpdateContact.fields).annotate({
  identifier: "CreateContact",
  description: "A new contact"
})
