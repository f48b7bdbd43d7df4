import { Effect } from "effect"
import type { FieldEntity } from "../../domain/field/CustomField.ts"
import {
  type FieldChanges,
  FieldValueInvalid,
  type FieldValues,
  setFieldValues
} from "../../domain/field/FieldValues.ts"
import { CustomFields } from "../../port/repository/contact/CustomFields.ts"

/**
 * Returns a record with changed custom fields. Without changes, returns the record itself. Fails with
 * `FieldValueInvalid` for an unknown field or an invalid value. Runs inside the unit of work of the change, so that the
 * definitions are current.
 */
export const setCustomFields = Effect.fnUntraced(function* <
  A extends { readonly tenantId: string; readonly customFields: FieldValues }
>(record: A, entity: FieldEntity, changes: FieldChanges | undefined) {
  if (changes === undefined) return record
  const definitions = yield* (yield* CustomFields).list(record.tenantId, entity)
  const customFields = setFieldValues(definitions, record.customFields, changes)
  if (customFields instanceof FieldValueInvalid) return yield* customFields
  return { ...record, customFields }
})
