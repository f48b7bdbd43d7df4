/**
 * Values of forms: custom fields, and the reading of controls. The layout of a control belongs in `component`. Tests:
 * `packages/console/test`.
 */
import type { CustomField, CustomFieldChanges, CustomFieldList } from "@leadloom/client"
import { queryOptions } from "@tanstack/react-query"
import { controlName } from "./CustomFieldControls.tsx"
import type { Connection } from "../app/Connection.ts"

/** The request of the definitions of all custom fields. */
export const customFieldsOptions = ({ client, tenantId }: Connection) =>
  queryOptions({
    queryKey: [tenantId, "fields"] as const,
    queryFn: ({ signal }) => client.fields.list(tenantId, { signal })
  })

const noFields: ReadonlyArray<CustomField> = []

/** Returns the fields of one entity; none until they are read. */
export const fieldsOf = (
  list: CustomFieldList | undefined,
  entity: CustomField["entity"]
): ReadonlyArray<CustomField> => list?.fields.filter((field) => field.entity === entity) ?? noFields

const valueOf = (data: FormData, { key, type }: CustomField): CustomFieldChanges[string] => {
  const values = data.getAll(controlName(key)).map(String)
  const [first = ""] = values
  if (type === "multi_select") return values.length === 0 ? null : values
  if (first === "") return null
  if (type === "number") return Number(first)
  return type === "boolean" ? first === "true" : first
}

/** Returns the values of custom fields in a form. Null removes a value. */
export const valuesIn = (data: FormData, fields: ReadonlyArray<CustomField>): CustomFieldChanges =>
  Object.fromEntries(fields.map((field) => [field.key, valueOf(data, field)]))
