import type { CustomField } from "@leadloom/client"
import { contentText } from "../../text/Content.ts"
import { text } from "../../text/Shared.ts"
import type { Action, FormField, Listing } from "../Listing.ts"
import { linesOf, optionOf } from "../Values.ts"

const { fields: shown } = contentText

const typesWithOptions: ReadonlyArray<string> = ["select", "multi_select"] satisfies ReadonlyArray<CustomField["type"]>

const requiredField = (isRequired: boolean): FormField => ({
  name: "required",
  label: shown.required,
  options: contentText.choices,
  initial: isRequired ? "yes" : "no"
})

const optionsField: FormField = { name: "options", label: shown.options, type: "textarea", hint: shown.optionsHint }

const create: Action = {
  label: shown.create,
  operation: "fields.create",
  fields: [
    { name: "label", label: shown.label },
    { name: "key", label: shown.key, hint: shown.keyHint },
    { name: "entity", label: shown.entity, options: shown.entities },
    { name: "type", label: shown.type, options: shown.types },
    { ...optionsField, onlyFor: { field: "type", values: typesWithOptions } },
    requiredField(false)
  ],
  send: async ({ client, tenantId }, { entity, key = "", label = "", options, required, type }) => {
    await client.fields.create(tenantId, {
      key,
      label,
      entity: optionOf(shown.entities, entity),
      type: optionOf(shown.types, type) ?? "text",
      options: linesOf(options),
      required: required === "yes"
    })
    return null
  }
}

const edit = (field: CustomField): Action => ({
  label: text.edit,
  operation: "fields.update",
  fields: [
    { name: "label", label: shown.label, initial: field.label },
    ...(typesWithOptions.includes(field.type) ? [{ ...optionsField, initial: field.options.join("\n") }] : []),
    requiredField(field.required)
  ],
  send: async ({ client, tenantId }, { label = "", options, required }) => {
    await client.fields.update(tenantId, field.id, {
      label,
      required: required === "yes",
      ...(options === undefined ? {} : { options: linesOf(options) })
    })
    return null
  }
})

const remove = ({ id, label }: CustomField): Action => ({
  label: text.remove,
  message: shown.removeNote(label),
  operation: "fields.remove",
  send: async ({ client, tenantId }) => {
    await client.fields.remove(tenantId, id)
    return null
  }
})

/** The fields that the tenant has added to contacts, leads and companies. */
export const fieldListing: Listing<CustomField> = {
  title: shown.title,
  empty: shown.empty,
  operation: "fields.list",
  read: async ({ client, tenantId }, _, signal) => {
    const { fields: rows } = await client.fields.list(tenantId, { signal })
    return { rows, next: null }
  },
  keyOf: ({ id }) => id,
  nameOf: ({ label }) => label,
  columns: () => [
    { header: shown.label, cell: ({ label }) => label },
    { header: shown.key, cell: ({ key }) => key, isDetail: true },
    { header: shown.entity, cell: ({ entity }) => shown.entities[entity] },
    { header: shown.type, cell: ({ type }) => shown.types[type], isDetail: true },
    { header: shown.options, cell: ({ options }) => options.join(", "), isDetail: true },
    {
      header: shown.required,
      cell: ({ required }) => contentText.choices[required ? "yes" : "no"],
      isDetail: true
    }
  ],
  general: [create],
  actions: (field) => [edit(field), remove(field)]
}
