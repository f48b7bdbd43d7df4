import { CustomField, CustomFieldNotFound } from "@leadloom/core/internal/domain/field/CustomField"
import { CustomFields } from "@leadloom/core/internal/port/repository/contact/CustomFields"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const fields = table(CustomField, { name: "custom_fields", key: ["tenantId", "fieldId"] })

/** Stores custom fields in SQL. */
export const layer: Layer.Layer<CustomFields, never, Database> = Layer.effect(
  CustomFields,
  Effect.map(Database, ({ command, query }) => {
    const { all, one } = fields.reading({ query })
    const ofTenant = all(
      `SELECT ${fields.columns} FROM custom_fields WHERE tenant_id = ? ORDER BY entity, created_at, field_id`
    )
    const ofEntity = all(
      `SELECT ${fields.columns} FROM custom_fields WHERE tenant_id = ? AND entity = ? ORDER BY created_at, field_id`
    )
    const find = one(`SELECT ${fields.columns} FROM custom_fields WHERE tenant_id = ? AND field_id = ?`)
    const insert = command(fields.insert)
    const replace = command(fields.replace)
    const remove = command("DELETE FROM custom_fields WHERE tenant_id = ? AND field_id = ?")
    return CustomFields.of({
      list: (tenantId, entity) => (entity === null ? ofTenant(tenantId) : ofEntity(tenantId, entity)),
      get: (tenantId, fieldId) =>
        Effect.flatMap(find(tenantId, fieldId), (found) =>
          found === null ? Effect.fail(new CustomFieldNotFound({ fieldId })) : Effect.succeed(found)
        ),
      insert: (field) => insert(...fields.values(field)),
      update: (field) => replace(...fields.changes(field)),
      remove: (tenantId, fieldId) => remove(tenantId, fieldId)
    })
  })
)
