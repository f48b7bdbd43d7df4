import {
  CustomField as CustomFieldNoun,
  fieldEntities,
  maxFieldOptions
} from "@leadloom/core/internal/domain/field/CustomField"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, TenantPath } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

export const { schema: CustomField, toJson: customFieldToJson } = wire(CustomFieldNoun, "CustomField", {
  description: "A typed field that a tenant adds to its contacts, leads or companies",
  id: "fieldId",
  omit: ["tenantId"]
})

const { entity, key, label, options, type } = CustomFieldNoun.fields

const Options = options.check(Schema.isMaxLength(maxFieldOptions))

export const CreateField = Schema.Struct({
  key,
  label,
  type,
  entity: Schema.optionalKey(entity).annotate({ description: "The records that have this field. Default: contact" }),
  options: Schema.optionalKey(Options).annotate({
    description: `The permitted values of a \`select\` or \`multi_select\` field; at most ${maxFieldOptions}`
  }),
  required: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether a write of custom fields must leave this field with a value. Default: false"
  })
}).annotate({ identifier: "CreateField", description: "A new custom field" })

export const UpdateField = Schema.Struct({
  label: Schema.optionalKey(label),
  options: Schema.optionalKey(Options).annotate({
    description: "Replaces all options. Stored values of a removed option stay until they are changed"
  }),
  required: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether a write of custom fields must leave this field with a value"
  })
}).annotate({ identifier: "UpdateField", description: "The properties to change. Key, type and entity never change" })

const FieldPath = { ...TenantPath, field_id: Schema.String.annotate({ description: "Field id (`fld_…`)" }) }
const path = "/tenants/:tenant_id/fields"

/** The custom fields of a tenant. */
export const FieldsGroup = HttpApiGroup.make("fields")
  .add(
    HttpApiEndpoint.get("list", path, {
      params: TenantPath,
      query: {
        entity: Schema.optionalKey(Schema.Literals(fieldEntities)).annotate({
          description: "Only fields of these records"
        })
      },
      success: Schema.Struct({
        fields: Schema.Array(CustomField).annotate({ description: "The fields by entity and time of creation" })
      }).annotate({ identifier: "CustomFieldList", description: "The custom fields of a tenant" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the custom fields of a tenant")
      .annotate(OpenApi.Description, "An entity has at most 50 custom fields, so the list has no pages.")
      .annotate(Gate, gate("fields.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", path, {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateField,
      success: CustomField.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a custom field")
      .annotate(OpenApi.Description, "Records get values for the field by its `key` in `custom_fields`.")
      .annotate(Gate, gate("fields.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", `${path}/:field_id`, { params: FieldPath, success: CustomField, error: NotFound })
      .annotate(OpenApi.Summary, "Read a custom field")
      .annotate(OpenApi.Description, "A deleted field is not found.")
      .annotate(Gate, gate("fields.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", `${path}/:field_id`, {
      params: FieldPath,
      payload: UpdateField,
      success: CustomField,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Change the label, the options or the requirement of a custom field")
      .annotate(OpenApi.Description, "The change applies to later writes. Stored values stay.")
      .annotate(Gate, gate("fields.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", `${path}/:field_id`, {
      params: FieldPath,
      success: CustomField,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Delete a custom field")
      .annotate(
        OpenApi.Description,
        "Stored values stay readable. A write can only remove them. A field that a rule compares cannot be deleted; the error names the rules."
      )
      .annotate(Gate, gate("fields.remove", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Custom fields", description: "Typed fields that a tenant adds to its records" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
