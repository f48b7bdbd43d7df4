/**
 * Defines custom fields and sets their values in other records. The check of values belongs to `domain/field`. Tests:
 * `packages/server/test/http/contact/Fields.test.ts`.
 */
import { Clock, Effect } from "effect"
import {
  type CustomField,
  CustomFieldExists,
  CustomFieldInUse,
  CustomFieldInvalid,
  CustomFieldLimitReached,
  type FieldEntity,
  maxFieldsPerEntity,
  optionsError
} from "../../domain/field/CustomField.ts"
import { rulesWithField } from "../../domain/rule/UsedFacts.ts"
import { CustomFields } from "../../port/repository/contact/CustomFields.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { withSpan } from "../WithSpan.ts"

/** A custom field as a person defines it. */
export interface NewField extends Pick<CustomField, "key" | "label" | "type"> {
  /** The default is `contact`. */
  readonly entity?: FieldEntity
  readonly options?: CustomField["options"]
  readonly required?: boolean
}

/** The properties of a custom field that a person changes. Absent ones stay. */
export type FieldUpdate = Partial<Pick<CustomField, "label" | "options" | "required">>

const toJson = ({ entity, key, label, options, required, type }: CustomField) => ({
  entity,
  key,
  label,
  type,
  options,
  required
})

const check = (field: CustomField) => {
  const reason = optionsError(field)
  return reason === null ? Effect.void : Effect.fail(new CustomFieldInvalid({ field: "options", reason }))
}

/** Lists the custom fields of an entity, or of all entities if `entity` is null. */
export const listFields = Effect.fnUntraced(function* (tenantId: string, entity: FieldEntity | null) {
  yield* (yield* Tenants).get(tenantId)
  return yield* (yield* CustomFields).list(tenantId, entity)
}, withSpan("listFields"))

/** Creates a custom field. */
export const createField = Effect.fnUntraced(function* (
  tenantId: string,
  { entity = "contact", key, label, options = [], required = false, type }: NewField
) {
  yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const fieldId = yield* (yield* Ids).next("fld")
  const field = { fieldId, tenantId, entity, key, label, type, options, required, createdAt: now, updatedAt: now }
  yield* check(field)
  const fields = yield* CustomFields
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const known = yield* fields.list(tenantId, entity)
      if (known.some((one) => one.key === key)) return yield* new CustomFieldExists({ entity, key })
      if (known.length >= maxFieldsPerEntity) return yield* new CustomFieldLimitReached({ limit: maxFieldsPerEntity })
      yield* fields.insert(field)
      yield* recordAuditChange({ before: null, after: toJson(field) })
    })
  )
  return field satisfies CustomField
}, withSpan("createField"))

/** Changes the given properties of a custom field. Stored values stay. */
export const updateField = Effect.fnUntraced(function* (tenantId: string, fieldId: string, changes: FieldUpdate) {
  yield* (yield* Tenants).get(tenantId)
  const updatedAt = yield* Clock.currentTimeMillis
  const fields = yield* CustomFields
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* fields.get(tenantId, fieldId)
      const after: CustomField = { ...before, ...changes, updatedAt }
      yield* check(after)
      yield* fields.update(after)
      yield* recordAuditChange({ before: toJson(before), after: toJson(after) })
      return after
    })
  )
}, withSpan("updateField"))

/** Deletes a custom field and returns it. Stored values stay. Fails with `CustomFieldInUse` if a rule uses it. */
export const removeField = Effect.fnUntraced(function* (tenantId: string, fieldId: string) {
  const tenants = yield* Tenants
  yield* tenants.get(tenantId)
  const fields = yield* CustomFields
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const field = yield* fields.get(tenantId, fieldId)
      const { config } = yield* tenants.get(tenantId)
      const rules = rulesWithField(config.rules, field).map(({ name }) => name)
      if (rules.length > 0) return yield* new CustomFieldInUse({ key: field.key, rules })
      yield* fields.remove(tenantId, fieldId)
      yield* recordAuditChange({ before: toJson(field), after: null })
      return field
    })
  )
}, withSpan("removeField"))
