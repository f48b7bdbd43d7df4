import { Context, type Effect } from "effect"
import type { CustomField, CustomFieldNotFound, FieldEntity } from "../../../domain/field/CustomField.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The custom fields of tenants. The values belong to the records that have the fields. */
export class CustomFields extends Context.Service<
  CustomFields,
  {
    /** Lists the custom fields of an entity, oldest first. Null lists those of all entities, by entity. */
    readonly list: (
      tenantId: string,
      entity: FieldEntity | null
    ) => Effect.Effect<ReadonlyArray<CustomField>, StoreUnavailable>
    readonly get: (
      tenantId: string,
      fieldId: string
    ) => Effect.Effect<CustomField, CustomFieldNotFound | StoreUnavailable>
    readonly insert: (field: CustomField) => Effect.Effect<void, StoreUnavailable>
    /** Replaces an existing field. Does nothing for an unknown field. */
    readonly update: (field: CustomField) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (tenantId: string, fieldId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/CustomFields") {}
